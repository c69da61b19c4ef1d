"""PDF, web pages and mails: what is read of them, and the states that are told apart."""

from email.message import EmailMessage

import pytest

from support.extraction import pdf
from support.read_here import read_here, why

STORY = "The harbour was quiet that morning, and nobody had seen the ferry leave. " * 12


def mail(**headers: str) -> EmailMessage:
    made = EmailMessage()
    for name, value in {"From": "Anna <anna@example.com>", "To": "bo@example.com", **headers}.items():
        made[name] = value
    return made


def test_each_page_of_a_pdf_is_a_part() -> None:
    found = read_here(pdf(["The first page here", "The second page here"]))
    assert [(part.name, part.text) for part in found.parts] == [
        ("1", "The first page here"),
        ("2", "The second page here"),
    ]
    assert (found.format, found.warnings) == ("pdf", ())


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (pdf(["", "short"]), "no_text"),
        (pdf(["Nobody reads this one"], encrypted=True), "encrypted"),
        (b"%PDF-1.7\nand nothing more", "damaged"),
    ],
    ids=["scanned", "with a password", "cut"],
)
def test_a_pdf_without_text_with_a_password_or_cut_is_told_apart(content: bytes, reason: str) -> None:
    """Known fault F10."""
    assert why(content, "x.pdf") == reason


def test_a_pdf_without_its_end_is_read_and_told() -> None:
    whole = pdf(["The first page here"])
    found = read_here(whole.replace(b"%%EOF", b""))
    assert found.parts[0].text == "The first page here"
    assert found.warnings == ("the file does not end as a PDF does: it may have been cut, and pages may be missing",)


def test_a_page_with_fewer_than_ten_characters_has_no_text() -> None:
    assert read_here(pdf(["0123456789"])).warnings == ()
    assert "pages have no text and may be scanned: 2" in read_here(pdf(["0123456789", "1 2 3 4 5 6 7 8 9"])).warnings[0]


def test_a_text_that_calls_itself_pdf_is_read_and_told() -> None:
    """Known fault F10."""
    found = read_here(b"only a note", "report.pdf")
    assert (found.format, found.parts[0].text) == ("text", "only a note")
    assert found.warnings == ("its name or media type says pdf, its content is text",)


def test_what_is_no_text_is_not_read_as_one_when_asked_to() -> None:
    assert why(pdf(["The first page here"]), format="csv") == "unsupported"
    assert read_here(b"a,b\n1,2\n", format="text").parts[0].rows is None


def test_of_a_page_the_main_text_is_read_and_not_its_menus() -> None:
    page = (
        "<!doctype html><html><head><title>Harbour</title><script>var hidden = 1;</script></head><body>"
        f"<nav><a href='/'>Home</a><a href='/more'>More offers</a></nav><article><h1>The ferry</h1><p>{STORY}</p>"
        "</article><footer>Imprint</footer></body></html>"
    )
    found = read_here(page.encode())
    assert (found.format, found.title) == ("html", "Harbour")
    assert "# The ferry" in found.parts[0].text
    assert "hidden" not in found.parts[0].text
    assert "More offers" not in found.parts[0].text


def test_a_short_page_is_read_whole() -> None:
    found = read_here(b"<html><body><div>Opening hours<br>9 to 5</div><table><tr><td>a</td><td>b</td></tr></table>")
    words = found.parts[0].text.replace("|", " ").replace("-", " ").split()
    assert words == ["Opening", "hours", "9", "to", "5", "a", "b"]


@pytest.mark.parametrize("stated", ['<meta charset="windows-1251">', '<?xml version="1.0" encoding="windows-1251"?>'])
def test_a_page_is_read_in_the_encoding_that_it_states(stated: str) -> None:
    page = f"{stated}<html><body><p>Привет, мир</p></body></html>".encode("cp1251")
    assert "Привет, мир" in read_here(page, "index.html").parts[0].text


def test_a_mail_is_its_text_with_subject_people_and_a_list_of_what_is_attached() -> None:
    made = mail(Subject="Grüße und ein Bild", Cc="cem@example.com", Date="Mon, 30 Nov 2026 09:00:00 +0000")
    made.set_content("Hallo Bo,\nanbei das Bild.")
    made.add_alternative("<p>Hallo <b>Bo</b></p>", subtype="html")
    made.add_attachment(bytes(range(256)), maintype="image", subtype="png", filename="Bild ä.png")
    found = read_here(made.as_bytes())
    assert (found.format, found.title) == ("eml", "Grüße und ein Bild")
    assert found.parts[0].text == "Hallo Bo,\nanbei das Bild."
    assert found.properties["from"] == "Anna <anna@example.com>"
    assert found.properties["cc"] == "cem@example.com"
    [attached] = found.attachments
    assert (attached.filename, attached.mime_type, attached.size) == ("Bild ä.png", "image/png", 256)


def test_a_mail_of_html_alone_is_read_as_its_text() -> None:
    made = mail(Subject="News")
    made.set_content("<style>p{}</style><p>Hello</p><p>World</p>", subtype="html")
    assert read_here(made.as_bytes()).parts[0].text == "Hello\n\nWorld"


@pytest.mark.parametrize(
    "subject",
    [
        "=?_iso-2022-jp$esc?B?QQ==?=",
        "=?windows-874?Q?=B9=D5?=",
        "=?utf-8?Q?=E4=BD?= =?utf-8?Q?=A0?=",
        "=?utf-8?B?!!!?=",
        "",
    ],
)
def test_header_words_with_odd_names_never_fail(subject: str) -> None:
    content = f"From: a@example.com\r\nTo: b@example.com\r\nSubject: {subject}\r\n\r\nBody\r\n".encode()
    assert read_here(content, "mail.eml").parts[0].text == "Body"


def test_a_mail_with_unknown_charset_damaged_base64_and_no_boundary_is_read_as_far_as_it_goes() -> None:
    head = "From: a@example.com\nTo: b@example.com\nMIME-Version: 1.0\n"
    odd = f"{head}Content-Type: text/plain; charset=no-such\n\nplain words\n"
    assert "plain words" in read_here(odd.encode(), "a.eml").parts[0].text
    cut = f'{head}Content-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/plain\n\nfirst words\n'
    assert "first words" in read_here(cut.encode(), "a.eml").parts[0].text


def test_a_mail_inside_a_mail_is_attached() -> None:
    inner = mail(Subject="Inner")
    inner.set_content("inside")
    outer = mail(Subject="Outer", Date="Thu, 01 Jan 2026 10:00:00 +0000")
    outer.set_content("see the mail")
    outer.add_attachment(inner)
    found = read_here(outer.as_bytes())
    assert found.parts[0].text == "see the mail"
    assert [one.mime_type for one in found.attachments] == ["message/rfc822"]
