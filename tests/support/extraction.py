"""The real extraction child, started from this source, and documents made by hand."""

import io
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

import notochord

SOURCE = Path(notochord.__file__).parents[1]
CHILD = "notochord.adapters.extraction.child"
COMMAND = (
    sys.executable,
    "-I",
    "-c",
    f"import sys; sys.path.insert(0, {str(SOURCE)!r}); from {CHILD} import main; sys.exit(main())",
)

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def zipped(files: Mapping[str, str | bytes], *, packed: bool = True) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED) as package:
        for name, content in files.items():
            package.writestr(name, content)
    return buffer.getvalue()


def relations(entries: Mapping[str, tuple[str, str]]) -> str:
    """Return a file of relations: id → kind and target."""
    lines = [
        f'<Relationship Id="{identifier}" Type="{OFFICE}/{kind}" Target="{target}"/>'
        for identifier, (kind, target) in entries.items()
    ]
    return f'<Relationships xmlns="{_RELATIONS}">{"".join(lines)}</Relationships>'


def docx(body: str, files: Mapping[str, str | bytes] | None = None) -> bytes:
    """Return a DOCX file with this XML as its body, as little of one as there can be."""
    document = f'<w:document xmlns:w="{WORD}" xmlns:mc="urn:mc"><w:body>{body}</w:body></w:document>'
    return zipped({"[Content_Types].xml": "<Types/>", "word/document.xml": document, **(files or {})})


def paragraph(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def pdf(pages: list[str], *, encrypted: bool = False) -> bytes:
    """Return a PDF file with a line of text on each page; an empty line is a page without text."""
    count = len(pages)
    kids = " ".join(f"{3 + 2 * index} 0 R" for index in range(count))
    objects = {1: "<< /Type /Catalog /Pages 2 0 R >>", 2: f"<< /Type /Pages /Kids [{kids}] /Count {count} >>"}
    font = 3 + 2 * count
    for index, text in enumerate(pages):
        stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET" if text else ""
        objects[3 + 2 * index] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {4 + 2 * index} 0 R "
            f"/Resources << /Font << /F1 {font} 0 R >> >> >>"
        )
        objects[4 + 2 * index] = f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream"
    objects[font] = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    trailer = f"/Size {font + 1} /Root 1 0 R"
    if encrypted:
        secret = "00" * 32
        objects[font + 1] = f"<< /Filter /Standard /V 1 /R 2 /O <{secret}> /U <{secret}> /P -44 >>"
        trailer = f"/Size {font + 2} /Root 1 0 R /Encrypt {font + 1} 0 R /ID [<00> <00>]"
    return _written(objects, trailer)


def _written(objects: Mapping[int, str], trailer: str) -> bytes:
    content, places = b"%PDF-1.4\n", {}
    for number, text in sorted(objects.items()):
        places[number] = len(content)
        content += f"{number} 0 obj\n{text}\nendobj\n".encode()
    start = len(content)
    content += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    content += b"".join(f"{places[number]:010d} 00000 n \n".encode() for number in sorted(objects))
    return content + f"trailer\n<< {trailer} >>\nstartxref\n{start}\n%%EOF\n".encode()
