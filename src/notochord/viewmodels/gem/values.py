"""Values of the services that the views of a gem show as they are."""

from notochord.services.data.api import ChangeOverview as ChangeOverview
from notochord.services.data.api import CollectionOverview as CollectionOverview
from notochord.services.data.api import Overview as Overview
from notochord.services.gems.api import DocumentKind as DocumentKind
from notochord.services.gems.api import Mailbox as Mailbox
from notochord.services.gems.api import ModelNotice as ModelNotice
from notochord.services.vault.api import Placement as Placement
from notochord.services.vault.api import Secret as Secret
