import datetime

WINDOWS_EPOCH: datetime.datetime
CALENDAR_MAC_1904: datetime.datetime

def from_excel(value: float, epoch: datetime.datetime) -> datetime.datetime | datetime.time: ...
