"""The roles: four built-in ones and the user's own, each with the line that the AI reads."""

from sqlalchemy import Connection, delete, func, insert, select, update

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.models.api import ModelRef, ModelRole
from notochord.services.models.tables import MODELS, ROLES

CHAT = "chat"
LONGEST_NAME = 40
LONGEST_DESCRIPTION = 200

BUILT_IN = {
    CHAT: "Everyday conversation and tasks; what a sub-agent gets when no role fits better.",
    "vision": "Reading images: screenshots, photos, scanned pages.",
    "deep": (
        "The strongest model, for hard thinking and output that must be good: planning, analysis, generating a whole "
        "HTML page or a long report."
    ),
    "local": (
        "A model on this computer, so nothing leaves it: for sensitive content such as emails, personal data, "
        "passwords or private documents."
    ),
}


def all_roles(connection: Connection) -> tuple[ModelRole, ...]:
    """Return the built-in roles, then the user's own in the order they were added."""
    rows = {row.name.lower(): row for row in connection.execute(select(ROLES).order_by(ROLES.c.position))}
    built_in = [
        ModelRole(name, line, _model(rows[name].provider, rows[name].model) if name in rows else None, built_in=True)
        for name, line in BUILT_IN.items()
    ]
    own = [
        ModelRole(row.name, row.description, _model(row.provider, row.model), built_in=False)
        for name, row in rows.items()
        if name not in BUILT_IN
    ]
    return (*built_in, *own)


def find(connection: Connection, name: str) -> ModelRole | None:
    """Return the role of that name, without regard to case."""
    return next((role for role in all_roles(connection) if role.name.lower() == name.lower()), None)


def assign(connection: Connection, name: str, model: ModelRef | None) -> None:
    """Give a role its model. Only a built-in role may be left without one."""
    role = _known(connection, name)
    if model is None and not role.built_in:
        raise invalid("a role of one's own always has a model", name, "why.own_role_model")
    if model is not None:
        require_model(connection, model)
    provider, model_name = (model.provider, model.model) if model else (None, None)
    changed = connection.execute(
        update(ROLES).where(ROLES.c.name == role.name).values(provider=provider, model=model_name)
    )
    if changed.rowcount == 0:
        _insert(connection, role.name, "", model)


def add(connection: Connection, name: str, description: str, model: ModelRef) -> ModelRole:
    """Add a role of the user's own."""
    name, description = name.strip(), checked_description(name, description)
    if not 1 <= len(name) <= LONGEST_NAME or "/" in name or not name.isprintable():
        raise invalid(
            f"a name has 1 to {LONGEST_NAME} characters, no slash and no line break",
            name,
            "why.role_name",
            LONGEST_NAME,
        )
    if find(connection, name) is not None:
        raise invalid("the name is taken", name, "why.name_taken")
    require_model(connection, model)
    _insert(connection, name, description, model)
    return ModelRole(name, description, model, built_in=False)


def describe(connection: Connection, name: str, description: str) -> None:
    """Change the line of one of the user's own roles."""
    role = _own(connection, name)
    line = checked_description(name, description)
    connection.execute(update(ROLES).where(ROLES.c.name == role.name).values(description=line))


def remove(connection: Connection, name: str) -> None:
    """Remove one of the user's own roles."""
    role = _own(connection, name)
    connection.execute(delete(ROLES).where(ROLES.c.name == role.name))


def fill_chat_role(connection: Connection, model: ModelRef) -> None:
    """Put the first model ever into the chat role, if that is empty."""
    role = find(connection, CHAT)
    if role is not None and role.model is None:
        assign(connection, CHAT, model)


def unset_lost_models(connection: Connection) -> None:
    """Take from every role a model that is no longer there. One's own roles stay, without a model."""
    there = {(row.provider.lower(), row.model) for row in connection.execute(select(MODELS))}
    for row in connection.execute(select(ROLES)).all():
        if row.provider is not None and (row.provider.lower(), row.model) not in there:
            connection.execute(update(ROLES).where(ROLES.c.name == row.name).values(provider=None, model=None))


def require_model(connection: Connection, model: ModelRef) -> None:
    """Raise MODEL_UNKNOWN unless the model is one of the chosen ones."""
    query = select(func.count()).where(MODELS.c.provider == model.provider, MODELS.c.model == model.model)
    if connection.execute(query).scalar_one() == 0:
        raise NotochordError(Code.MODEL_UNKNOWN, Fault.USER, "no connected model", model=str(model))


def checked_description(name: str, description: str) -> str:
    """Return the line as it is kept. Raises ROLE_INVALID."""
    line = description.strip()
    if not 1 <= len(line) <= LONGEST_DESCRIPTION or not line.isprintable():
        raise invalid(
            f"a description has 1 to {LONGEST_DESCRIPTION} characters and no line break", name, "why.role_description"
        )
    return line


def invalid(reason: str, name: str, why: str, limit: int = 0) -> NotochordError:
    """Return the error for a role that cannot be so."""
    return NotochordError(
        Code.ROLE_INVALID, Fault.USER, reason, role=name[:LONGEST_NAME], reason=reason, why=why, limit=limit
    )


def _known(connection: Connection, name: str) -> ModelRole:
    role = find(connection, name)
    if role is not None:
        return role
    roles = ", ".join(role.name for role in all_roles(connection))
    detail = f"there is no such role; the roles are: {roles}"
    raise NotochordError(
        Code.ROLE_INVALID,
        Fault.USER,
        detail,
        role=name[:LONGEST_NAME],
        reason=detail,
        roles=roles,
        why="why.role_unknown",
    )


def _own(connection: Connection, name: str) -> ModelRole:
    role = _known(connection, name)
    if role.built_in:
        raise invalid("a built-in role stays as it is", name, "why.role_built_in")
    return role


def _insert(connection: Connection, name: str, description: str, model: ModelRef | None) -> None:
    position = connection.execute(select(func.coalesce(func.max(ROLES.c.position), 0) + 1)).scalar_one()
    connection.execute(
        insert(ROLES).values(
            name=name,
            description=description,
            provider=model.provider if model else None,
            model=model.model if model else None,
            position=position,
        )
    )


def _model(provider: str | None, model: str | None) -> ModelRef | None:
    return None if provider is None or model is None else ModelRef(provider, model)
