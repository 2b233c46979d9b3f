# SPDX-License-Identifier: Apache-2.0

"""Plans: what an update will do to a stack tree.

``stack_plan.plan_update`` returns the ``StackPlan`` of an update. Other
features use it too, also if the feature ``plan`` is disabled. A module imports
only modules of the lines below its own line::

    guard              the guard of the feature, and stops by Heat itself
    deletion           the plan of a deletion
    required_plan      the update of a stack with the tag has a plan
    reviewed_creation  the creation complies with its reviewed plan
    reviewed_plan      the update complies with its reviewed plan
    preview            the plan in the response of a preview
    property_values    the values of changed properties
    hidden_parameters  the hidden parameters of a stack tree
    seal               the plan is what an engine has made
    hidden_values      values that can come from hidden parameters
    reasons            why resources change
    tree_plan          the changes of all resources and nested stacks
    stack_plan         the changes of one stack, each computed once
    known_attributes   attributes whose new values are known
    resource_plan      the change of one resource
    nested_plan        the template and parameters of a nested stack
    resource_types     groups and software deployments
    definitions        the current and the new definition of a stack
    unknown            values that are not known before the update
    change, controller, errors, options, reviewed_request, values

The change of a resource can depend on other resources and on nested stacks.
The modules from ``known_attributes`` to ``resource_types`` ask the
``StackPlan`` for these changes, which is an argument of their functions.
"""
