"""Names of files and folders, such as every system takes and such as some do not."""

TRAVELLING = [
    "run", "run 2", "rate 1e-3", "papers-2026", "Größe", "论文", "a.b.c", "console", "com10",
    "nullify", "aux-1", "lpt", "~notes", "x" * 255, "ü" * 127, "_nul",
    "a,b;c=d&e'f`g$h%i#j@k!l+m(n)[o]{p}",
]  # fmt: skip
STAYING = {
    "none of": ["a:b", "C:run", "a?b", "a*", "<x>", 'say "x"', "a|b", "run:stream"],
    "control characters": ["a\tb", "a\nb", "\x1b[31m", "a\udcffb"],
    "dot or space": ["run.", "run ", "run. .", "a.b."],
    "device": [
        "nul", "NUL", "con", "Aux", "prn.txt", "com1", "LPT9.tar.gz", "COM¹", "nul .x",
        "conin$",
    ],
    "bytes": ["x" * 256, "ü" * 128],
}  # fmt: skip
