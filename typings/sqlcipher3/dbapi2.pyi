from sqlite3.dbapi2 import *
from sqlite3.dbapi2 import Connection as Connection, Cursor as Cursor, connect as connect
