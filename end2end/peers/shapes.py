"""Whether an answer has the shape that Stripe's own client declares for it, member by member.

The classes of the Python client are generated from Stripe's OpenAPI description. What they do not call optional must be
there; what is there must be of the declared type; and what they do not know, Stripe does not send.
"""

import typing

import stripe


def faults(kind, value, path=None):
    """Where `value`, as decoded JSON, is not what the class `kind` declares."""
    path = path or kind.__name__
    declared = _declared(kind)
    found = [f"{path}.{name} is missing" for name, hint in declared.items() if name not in value and not _optional(hint)]
    for name, member in value.items():
        if name in declared:
            found += _differs(declared[name], member, f"{path}.{name}")
        elif name != "object":
            found.append(f"{path}.{name} is not known to the client")
    return found


def _declared(kind):
    hints = {}
    for base in reversed(kind.__mro__):
        if base.__module__.startswith("stripe._") and base is not stripe.StripeObject:
            hints.update(vars(base).get("__annotations__", {}))
    return {
        name: hint
        for name, hint in hints.items()
        if typing.get_origin(hint) is not typing.ClassVar and not name.startswith("_") and name != "deleted"
    }


def _optional(hint):
    return type(None) in typing.get_args(hint)


def _differs(hint, value, path):
    arms = typing.get_args(hint) if typing.get_origin(hint) is typing.Union else (hint,)
    tries = [_arm(arm, value, path) for arm in arms]
    if any(not one for one in tries):
        return []
    # The nearest arm tells most: an object that is wrong inside, rather than "is not a string".
    return max(tries, key=lambda one: max(len(words) for words in one))


def _arm(arm, value, path):
    origin = typing.get_origin(arm)
    if isinstance(arm, typing.ForwardRef):
        arm = getattr(stripe, arm.__forward_arg__, None)
        if arm is None or not isinstance(arm, type):
            return [] if isinstance(value, dict) else [f"{path} is no object"]
    if origin is typing.Union:
        return _differs(arm, value, path)
    if origin is list:
        if not isinstance(value, list):
            return [f"{path} is no list"]
        (inner,) = typing.get_args(arm)
        return [fault for n, one in enumerate(value) for fault in _differs(inner, one, f"{path}[{n}]")]
    if hasattr(arm, "__args__") and "Literal" in str(arm):
        return [] if value in typing.get_args(arm) else [f"{path} is {value!r}"]
    if origin is not None:  # UntypedStripeObject[str], Dict[str, …], ListObject[…]
        return [] if isinstance(value, dict) else [f"{path} is no object"]
    if arm is type(None):
        return [] if value is None else [f"{path} is not null"]
    if arm is typing.Any:
        return []
    if isinstance(arm, type) and issubclass(arm, stripe.StripeObject):
        if not isinstance(value, dict):
            return [f"{path} is no object"]
        return faults(arm, value, path)
    fits = isinstance(value, arm) and not (arm is int and isinstance(value, bool))
    return [] if fits else [f"{path} is {value!r}, not {arm.__name__}"]
