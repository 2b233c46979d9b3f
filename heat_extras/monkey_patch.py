# SPDX-License-Identifier: Apache-2.0

"""Patches of Heat as data: checked first, applied all or nothing, undone.

An extension of a Heat class is written as a mixin that names the class with
:func:`extends` and whose methods carry one of the decorators below; an
extension of a Heat module as a module of decorated functions that names it as
``EXTENDS``. Both are patch modules. :func:`module_records` turns one into
:class:`Patch` records, and only :func:`apply` and :func:`undo` touch Heat.
"""

import dataclasses
import functools
import importlib
import inspect
import pkgutil

from heat_extras import errors

ADD, WRAP, VALUE = 'add', 'wrap', 'value'

# The processes of Heat that have patch modules of their own.
ENGINE, API = 'engine', 'api'


@dataclasses.dataclass(frozen=True)
class Patch:
    """One attribute of Heat that is added or replaced.

    :param target: ``package.module:Class.attribute`` or
        ``package.module:attribute``.
    :param kind: ``add`` (must not exist yet), ``wrap`` (a function, the
        wrapper receives the original) or ``value`` (the replacement is
        computed from the original value).
    :param replacement: the new function or value, the wrapper, or the
        function from old to new value.
    :param signatures: for ``wrap``: Heat's own signatures that this was
        written for, one per variant among the supported releases.
    :param why: the reason why no extension point of Heat would do.
    """

    target: str
    kind: str
    replacement: object
    signatures: tuple = ()
    why: str = ''

    @property
    def attribute(self):
        return self.target.rpartition(':')[2].rpartition('.')[2]

    def owner(self):
        """Import and return the class or module that has the attribute.

        :raises PatchError: when there is no such module or class.
        """
        module_name, _, path = self.target.partition(':')
        try:
            owner = importlib.import_module(module_name)
            for name in path.split('.')[:-1]:
                owner = getattr(owner, name)
        except (ImportError, AttributeError) as error:
            raise errors.PatchError(
                f'{self.target}: found {error}, '
                'wanted the owner of this attribute') from error
        return owner


@dataclasses.dataclass(frozen=True)
class _Applied:
    patch: Patch
    owner: object
    inherited: bool
    original: object
    installed: object

    def is_on_top(self):
        return (vars(self.owner).get(self.patch.attribute)
                is self.installed)

    def undo(self):
        if self.patch.kind == ADD or self.inherited:
            delattr(self.owner, self.patch.attribute)
        else:
            setattr(self.owner, self.patch.attribute, self.original)


_applied: list[_Applied] = []


def add(why):
    """Mark a function, or a whole class, as new on the target."""
    return _mark(ADD, (), why)


def wrap(*signatures, why):
    """Mark a function as a wrapper of the target's of the same name.

    A method is called as ``(self, original, ...)``, a function as
    ``(original, ...)``; *original* is bound and takes the rest.

    :param signatures: ``str(inspect.signature(...))`` of Heat's function.
    """
    return _mark(WRAP, signatures, why)


def value(why):
    """Mark a function that computes a new value from the target's own."""
    return _mark(VALUE, (), why)


def _mark(kind, signatures, why):
    def decorate(function):
        function.heat_extras_patch = (kind, signatures, why)
        return function
    return decorate


def extends(target):
    """Name the class of Heat that a mixin extends.

    :param target: ``package.module:Class``.
    """
    def decorate(mixin):
        mixin.heat_extras_target = target
        return mixin
    return decorate


def module_records(module):
    """Make the records of all that one module of ours changes in Heat.

    :returns: a list of :class:`Patch`, those of its functions first, then
        those of its mixins in the order of definition.
    """
    target = getattr(module, 'EXTENDS', None)
    found = [] if target is None else records(target, module)
    for mixin in vars(module).values():
        if inspect.isclass(mixin) and mixin.__module__ == module.__name__:
            extended = vars(mixin).get('heat_extras_target')
            if extended is not None:
                found += records(extended, mixin)
    return found


def package_records(package, process):
    """Make the records of a package of patch modules, for one process.

    A patch module has the name of the part of Heat that it changes:
    ``api_...`` is for the API services, ``policies_...`` for them and the
    engine, any other for the engine.

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
    part = name.partition('_')[0]
    return {'api': (API,), 'policies': (ENGINE, API)}.get(part, (ENGINE,))


def records(target, source):
    """Make the records of one mixin or module.

    :param target: ``package.module:Class`` or ``package.module``.
    :param source: the mixin class, or a module of decorated functions.
    :returns: a list of :class:`Patch`, in the order of definition.
    """
    separator = '.' if ':' in target else ':'
    found = []
    for name, raw in vars(source).items():
        marked = getattr(raw, 'heat_extras_patch', None)
        if marked is not None and _is_own(raw, source):
            kind, signatures, why = marked
            found.append(Patch(f'{target}{separator}{name}', kind, raw,
                               signatures, why))
    return found


def _is_own(raw, source):
    # A marked function that a module merely imported is not its patch.
    return (not inspect.ismodule(source)
            or raw.__module__ == source.__name__)


def apply(patches):
    """Apply every patch, or none.

    Patches that are in force already are left alone, so that twice is the
    same as once.

    :raises PatchError: naming each patch that does not fit, what was found
        and what was wanted; Heat is then as it was before the call.
    """
    wanted = [patch for patch in patches if not is_applied(patch)]
    found = problems(wanted)
    if found:
        raise errors.PatchError('; '.join(found))
    done = []
    try:
        for patch in wanted:
            done.append(_install(patch))
    except BaseException:
        for applied in reversed(done):
            applied.undo()
        raise
    _applied.extend(done)


def problems(patches):
    """List what keeps the patches from being applied, in sentences."""
    return [problem for patch in patches if not is_applied(patch)
            for problem in _problems(patch)]


def undo(patches):
    """Take the given patches back, newest first, or none of them.

    :raises PatchError: when somebody patched on top of one of them.
    """
    chosen = [applied for applied in reversed(_applied)
              if applied.patch in patches]
    covered = _covered(chosen)
    if covered:
        raise errors.PatchError(
            'cannot undo: somebody patched on top of '
            + ', '.join(covered) + '; undo theirs first')
    for applied in chosen:
        applied.undo()
        _applied.remove(applied)


def is_applied(patch):
    return any(applied.patch == patch for applied in _applied)


def _covered(chosen):
    # Several of ours may lie on one attribute: each must be on top once the
    # newer ones among the chosen are gone.
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
    except errors.PatchError as error:
        return [str(error)]
    exists = hasattr(owner, patch.attribute)
    if patch.kind == ADD:
        return [f'{patch.target}: found an attribute of this name, '
                'wanted none'] if exists else []
    if not exists:
        return [f'{patch.target}: found no such attribute, wanted '
                f'{" or ".join(patch.signatures) or "a value"}']
    if patch.kind == WRAP:
        return _signature_problems(patch, owner)
    return []


def _signature_problems(patch, owner):
    raw = inspect.getattr_static(owner, patch.attribute)
    function = getattr(raw, '__func__', raw)
    try:
        found = str(inspect.signature(function))
    except (TypeError, ValueError):
        found = f'{type(raw).__name__} without a signature'
    if found in patch.signatures:
        return []
    return [f'{patch.target}: found {found}, '
            f'wanted {" or ".join(patch.signatures)}']


def _install(patch):
    owner = patch.owner()
    inherited = patch.attribute not in vars(owner)
    original = (None if patch.kind == ADD
                else inspect.getattr_static(owner, patch.attribute))
    installed = _replacement(patch, owner, original)
    setattr(owner, patch.attribute, installed)
    # A module-level or class-level setattr stores the very object, so that
    # identity tells later whether somebody patched on top.
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
    # A function of our own would be a frame more for each call, and a list
    # calls some of these for each stack.
    return functools.update_wrapper(
        functools.partial(wrapper, original), original)
