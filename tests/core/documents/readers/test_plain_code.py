"""Code, commands and error messages in plain text keep their lines; prose like them does not."""

import textwrap

import pytest

from core.documents.document import Kind
from tests.core.documents.readers.test_hard_wrapped import ENGLISH
from tests.helpers.reader_checks import outline, read, texts

CODE = {
    "traceback": """\
Traceback (most recent call last):
  File "/opt/epitome/main.py", line 12, in <module>
    main()
  File "/opt/epitome/main.py", line 8, in main
    read(path)
FileNotFoundError: [Errno 2] No such file or directory: 'boats.txt'
""",
    "stack of Java": """\
Exception in thread "main" java.lang.NullPointerException: the boat is null
    at org.museum.Boat.load(Boat.java:14)
    at org.museum.Main.main(Main.java:5)
""",
    "stack of JavaScript": """\
TypeError: Cannot read properties of undefined (reading 'name')
    at load (/srv/app/boats.js:14:9)
    at Object.<anonymous> (/srv/app/main.js:3:1)
""",
    "small SQL": """\
create table boats (
  id integer primary key,
  name text not null
);
insert into boats values (1, 'Mary');
""",
    "small query": """\
select name, width
from boats
where width > 3
order by name;
""",
    "chained calls": """\
function total(items) {
  return items
    .filter(item => item.price > 0)
    .map(item => item.price)
    .reduce((a, b) => a + b, 0)
}
""",
    "commands": """\
cd /opt/epitome
tar xf release.tar.gz
make -j4 install prefix=/usr/local
systemctl restart epitome
""",
    "history": """\
ls -la
git status
git add core/readers
git commit -m "mend the reader of tables"
""",
    "YAML": """\
name: build
on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: make test
""",
    "docstring": """\
def total(items):
    \"\"\"Sum of the prices of all items that
    are not free.\"\"\"
    result = 0
    for item in items:
        if item.price:
            result += item.price
    return result
""",
}


@pytest.mark.parametrize("text", CODE.values(), ids=CODE)
@pytest.mark.parametrize("with_prose", [False, True], ids=["alone", "in prose"])
def test_code_is_known_as_code(text: str, with_prose: bool) -> None:
    prose = textwrap.fill(ENGLISH[0], 70)
    whole = f"{prose}\n\n{text}\n{prose}\n" if with_prose else text
    code = [part for kind, part in outline(read(whole, "notes.txt")) if kind == Kind.CODE]
    assert code == [text.rstrip("\n")]


def test_a_trace_below_prose_is_parted_from_it() -> None:
    prose = textwrap.fill(ENGLISH[0], 60)
    for kind in ("traceback", "stack of Java", "stack of JavaScript"):
        found = outline(read(f"{prose}\n{CODE[kind]}\n{prose}\n", "notes.txt"))
        code = (Kind.CODE, CODE[kind].rstrip("\n"))
        assert found == [(Kind.PARAGRAPH, ENGLISH[0]), code, (Kind.PARAGRAPH, ENGLISH[0])]


def test_a_class_is_code_to_its_end() -> None:
    text = '''\
from pathlib import Path


class Reader:
    """Reads files of a folder, one after the other, and keeps what
    they say until it is asked for.

    The files stay open while they are read, and are closed when the
    last one has been read to its end.
    """

    limit = 3

    def read(self):
        for path in self.folder.iterdir():
            self.texts[path.name] = path.read_text()


That is all that there is to say about it.
'''
    document = read(text, "notes.txt")
    *code, last = outline(document)
    assert {kind for kind, _ in code} == {Kind.CODE}
    assert code[1][1].splitlines()[2].startswith("    they say")
    assert last == (Kind.PARAGRAPH, "That is all that there is to say about it.")


PROSE = {
    "steps": "Select the boats from the list\nwhere they lie, and set the lamp\nbefore you go.\n",
    "tasks": "make the bed\ncut the bread\ngo to the baker\nfind the key of the door\n",
    "cats": "cat in the hall\nmake tea\nls of the house\n",
    "minutes": "Present: Anna Kern\nBudget:\n  approved: by all\nNext: in May\n",
    "outline": "boats\n  one from the north\n  two from the south\nnets\n  one of hemp\n",
    "definition": "class of 1911:\n    Anna Kern, Paul Weiss\n    Mira Holt\n",
    "file": "File the letters by line 12, in the case\nbeside the stairs, and close it.\n",
    "at": "The boats lie\n  at the quay (north)\n  at the bridge (south)\nuntil May.\n",
}


@pytest.mark.parametrize("text", PROSE.values(), ids=PROSE)
def test_prose_like_code_is_none(text: str) -> None:
    assert Kind.CODE not in {kind for kind, _ in outline(read(text, "notes.txt"))}


def test_prose_after_a_definition_is_no_code() -> None:
    prose = textwrap.indent(textwrap.fill(ENGLISH[0], 60), "    ")
    document = read(f"Reader: it reads.\n\n{prose}\n\n{prose}\n", "notes.txt")
    assert texts(document)[-2:] == [ENGLISH[0]] * 2
