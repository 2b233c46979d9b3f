# SPDX-License-Identifier: Apache-2.0

"""Patches of Heat as data: check all, apply all or none, and undo.

A patch module extends a class or a module of Heat. A mixin extends a class: it
names the class with :func:`extends`, and its methods have the decorators
below. A module of decorated functions extends a module: ``EXTENDS`` names it,
and ``FEATURE`` the feature that needs all of its functions.
:func:`module_records` makes :class:`Patch` records from a patch module, and
only :func:`apply` and :func:`undo` change Heat.
"""

import dataclasses
import functools
import importlib
import inspect
import pkgutil

from heat_extras import operator_errors

ADD, WRAP, VALUE = 'add', 'wrap', 'value'

# The processes of Heat that have patch modules of their own.
ENGINE, API = 'engine', 'api'


@dataclasses.dataclass(frozen=True)
class Patch:
    """One attribute of Heat that is added or replaced.

    :param target: ``package.module:Class.attribute`` or
        ``package.module:attribute``.
    :param kind: ``add`` (the attribute must not exist), ``wrap`` (the wrapper
        receives the original function) or ``value`` (the replacement is
        computed from the original value).
    :param replacement: the new function or value, the wrapper, or the
        function that computes the new value from the old value.
    :param signatures: for ``wrap``: the signatures in Heat that the wrapper
        was written for, one for each variant among the supported releases.
    :param why: the reason why no extension point of Heat is sufficient.
    :param feature: the feature that needs the patch. None if several do.
    """

    target: str
    kind: str
    replacement: object
    signatures: tuple = ()
    why: str = ''
    feature: str | None = None

    @property
    def attribute(self):
        return self.target.rpartition(':')[2].rpartition('.')[2]

    def owner(self):
        """Import and return the class or module that has the attribute.

        :raises PatchError: if there is no such module or class.
        """
        module_name, _, path = self.target.partition(':')
        try:
            owner = importlib.import_module(module_name)
            for name in path.split('.')[:-1]:
                owner = getattr(owner, name)
        except (ImportError, AttributeError) as error:
            raise operator_errors.PatchError(
                f'{self.target}: the owner of this attribute is missing: '
                f'{error}') from error
        return owner


@dataclasses.dataclass(frozen=True)
class _Applied:
    patch: Patch
    owner: object
    inherited: bool
    original: object
    installed: object

    def undo(self):
        if self.patch.kind == ADD or self.inherited:
            delattr(self.owner, self.patch.attribute)
        else:
            setattr(self.owner, self.patch.attribute, self.original)


_applied: list[_Applied] = []


def add(why, feature=None):
    """Mark a function, or a whole class, as new on the target.

    :param feature: the feature that needs it, for this decorator and the next
        two. By default, the feature of its mixin.
    """
    return _mark(ADD, (), why, feature)


def wrap(*signatures, why, feature=None):
    """Mark a function as a wrapper of Heat's function of the same name.

    A method is called as ``(self, original, ...)``, a function as
    ``(original, ...)``. *original* is bound and takes the other arguments.

    :param signatures: ``str(inspect.signature(...))`` of Heat's function.
    """
    return _mark(WRAP, signatures, why, feature)


def value(why, feature=None):
    """Mark a function that computes a new value from the original value."""
    return _mark(VALUE, (), why, feature)


def _mark(kind, signatures, why, feature):
    def decorate(function):
        function.heat_extras_patch = (kind, signatures, why, feature)
        return function
    return decorate


def extends(target, feature=None):
    """Name the class of Heat that a mixin extends.

    :param target: ``package.module:Class``.
    :param feature: the feature that needs it. None if several do.
    """
    def decorate(mixin):
        mixin.heat_extras_target = target
        mixin.heat_extras_feature = feature
        return mixin
    return decorate


def module_records(module):
    """Make the records of all patches in a module.

    :returns: a list of :class:`Patch`: first the functions, then the methods
        of its mixins in the order of definition.
    """
    target = getattr(module, 'EXTENDS', None)
    patches = [] if target is None else records(
        target, module, getattr(module, 'FEATURE', None))
    for mixin in vars(module).values():
        if inspect.isclass(mixin) and mixin.__module__ == module.__name__:
            extended = vars(mixin).get('heat_extras_target')
            if extended is not None:
                patches += records(extended, mixin,
                                   vars(mixin)['heat_extras_feature'])
    return patches


def package_records(package, process):
    """Make the records of a package of patch modules, for one process.

    A patch module has the name of the part of Heat that it changes:
    ``api_...`` is for the API services, ``common_exception`` and
    ``policies_...`` are for the API services and the engine, and any other
    name is for the engine.

    :param package: the name of the package.
    :param process: ``engine`` or ``api``.
    :returns: a list of :class:`Patch`, by module in alphabetical order.
    """
    path = importlib.import_module(package).__path__
    names = sorted(name for _, name, _ in pkgutil.iter_modules(path)
                   if process in _processes(name))
    return [record for name in names for record in module_records(
        importlib.import_module(f'{package}.{name}'))]


def _processes(name):
    if name.startswith(('common_exception', 'policies_')):
        return (ENGINE, API)
    return (API,) if name.startswith('api_') else (ENGINE,)


def records(target, source, feature=None):
    """Make the records of one mixin or module.

    :param target: ``package.module:Class`` or ``package.module``.
    :param source: the mixin class, or a module of decorated functions.
    :param feature: the feature that needs them. None if several do.
    :returns: a list of :class:`Patch`, in the order of definition.
    """
    separator = '.' if ':' in target else ':'
    patches = []
    for name, raw in vars(source).items():
        marked = getattr(raw, 'heat_extras_patch', None)
        if marked is not None and _is_own(raw, source):
            kind, signatures, why, own = marked
            patches.append(Patch(f'{target}{separator}{name}', kind, raw,
                                 signatures, why, own or feature))
    return patches


def _is_own(raw, source):
    # A decorated function that a module only imports is not its patch.
    return (not inspect.ismodule(source)
            or raw.__module__ == source.__name__)


def apply(patches):
    """Apply every patch, or none.

    :returns: the patches that were not applied before.
    :raises PatchError: if a patch does not fit. The text names each such
        patch with the reason. Heat is unchanged in this case.
    """
    wanted = [patch for patch in patches if not is_applied(patch)]
    mismatches = problems(wanted)
    if mismatches:
        raise operator_errors.PatchError('; '.join(mismatches))
    done = []
    try:
        for patch in wanted:
            done.append(_install(patch))
    except BaseException:
        for applied in reversed(done):
            applied.undo()
        raise
    _applied.extend(done)
    return wanted


def problems(patches):
    """List the reasons why patches cannot be applied, in sentences."""
    return [problem for patch in patches if not is_applied(patch)
            for problem in _problems(patch)]


def undo(patches):
    """Undo the given patches, newest first, or none of them.

    :raises PatchError: if another program has patched one of the attributes
        since.
    """
    chosen = [applied for applied in reversed(_applied)
              if applied.patch in patches]
    covered = _covered(chosen)
    if covered:
        raise operator_errors.PatchError(
            'Patches cannot be undone: another program has since patched '
            + ', '.join(covered) + '. Undo its patches first')
    for applied in chosen:
        applied.undo()
        _applied.remove(applied)


def is_applied(patch):
    return any(applied.patch == patch for applied in _applied)


def _covered(chosen):
    # Several chosen patches may be on one attribute: each must be the top one
    # after the newer chosen ones are undone.
    tops: dict = {}
    covered = []
    for applied in chosen:
        key = (id(applied.owner), applied.patch.attribute)
        top = tops.get(key, vars(applied.owner).get(applied.patch.attribute))
        if top is not applied.installed:
            covered.append(applied.patch.target)
        tops[key] = applied.original
    return covered


def _problems(patch):
    try:
        owner = patch.owner()
    except operator_errors.PatchError as error:
        return [str(error)]
    exists = hasattr(owner, patch.attribute)
    if patch.kind == ADD:
        return [f'{patch.target}: Heat already has an attribute of this '
                'name'] if exists else []
    if not exists:
        return [f'{patch.target}: Heat has no such attribute: expected '
                f'{" or ".join(patch.signatures) or "a value"}']
    if patch.kind == WRAP:
        return _signature_problems(patch, owner)
    return []


def _signature_problems(patch, owner):
    raw = inspect.getattr_static(owner, patch.attribute)
    function = getattr(raw, '__func__', raw)
    try:
        signature = str(inspect.signature(function))
    except (TypeError, ValueError):
        signature = f'{type(raw).__name__} without a signature'
    if signature in patch.signatures:
        return []
    return [f'{patch.target}: {signature} is not supported: expected '
            f'{" or ".join(patch.signatures)}']


def _install(patch):
    owner = patch.owner()
    inherited = patch.attribute not in vars(owner)
    original = (None if patch.kind == ADD
                else inspect.getattr_static(owner, patch.attribute))
    installed = _replacement(patch, owner, original)
    setattr(owner, patch.attribute, installed)
    # setattr on a module or a class stores the same object. So undo() can
    # check by identity whether another program has patched the attribute.
    return _Applied(patch, owner, inherited, original, installed)


def _replacement(patch, owner, original):
    if patch.kind == ADD:
        return patch.replacement
    if patch.kind == VALUE:
        return patch.replacement(original)
    if isinstance(original, classmethod):
        return classmethod(_method(patch.replacement, original.__func__))
    if isinstance(original, staticmethod):
        return staticmethod(_function(patch.replacement, original.__func__))
    if inspect.isclass(owner):
        return _method(patch.replacement, original)
    return _function(patch.replacement, original)


def _method(wrapper, original):
    @functools.wraps(original)
    def patched(self, *args, **kwargs):
        return wrapper(self, functools.partial(original, self),
                       *args, **kwargs)
    return patched


def _function(wrapper, original):
    # A closure would be one more frame for each call, and a list of stacks
    # calls some of these functions for each stack.
    return functools.update_wrapper(
        functools.partial(wrapper, original), original)
