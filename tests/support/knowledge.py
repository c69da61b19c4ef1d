"""Folders of a knowledge base for tests, behind the port of the gems; they can be moved."""

from notochord.services.gems.ports import KnowledgeFolder


class TestKnowledge:
    """Implements `services.gems.ports.Knowledge`: `work` with `work/plans` in it, and `home`."""

    __test__ = False

    def __init__(self) -> None:
        self.parents = {"work": "", "plans": "work", "old": "plans", "home": ""}

    async def folders(self) -> tuple[KnowledgeFolder, ...]:
        return tuple(KnowledgeFolder(name, name.title(), parent) for name, parent in self.parents.items())
