#!/usr/bin/env python3
"""Writes core/base/width-table.h from the Unicode character database (Debian: unicode-data).

    core/base/gen-width.py /usr/share/unicode > core/base/width-table.h

The build does not run this: the table is committed.
"""
import re
import sys

WIDE, PICT, EMOJI, REGIONAL, MODIFIER, EXTEND, SCRIPT = 2, 4, 8, 16, 32, 64, 128
CONJUNCT_SCRIPTS = ("Bengali", "Devanagari", "Gujarati", "Malayalam", "Oriya", "Telugu")
LAST = 0x110000


def ranges(path, keep):
    for line in open(path, encoding="utf-8"):
        m = re.match(r"([0-9A-F]+)(?:\.\.([0-9A-F]+))?\s*;\s*(\w+)", line)
        if m and m.group(3) in keep:
            yield int(m.group(1), 16), int(m.group(2) or m.group(1), 16)


def categories(path):
    first = None
    for line in open(path, encoding="utf-8"):
        field = line.split(";")
        cp = int(field[0], 16)
        if field[1].endswith("First>"):
            first = cp
            continue
        for c in range(first if field[1].endswith("Last>") else cp, cp + 1):
            yield c, field[2]
        first = None


def spans_of(cps):
    spans = []
    for cp in sorted(cps):
        if spans and spans[-1][1] + 1 == cp:
            spans[-1][1] = cp
        else:
            spans.append([cp, cp])
    return spans


def conjuncts(root):
    """Spacing marks; InCB as Unicode 15.1 derives it: consonants and viramas of the scripts that form conjuncts."""
    inside = set()
    for a, b in ranges(root + "/Scripts.txt", CONJUNCT_SCRIPTS):
        inside.update(range(a, b + 1))
    for name in ("Consonant", "Virama"):
        yield name, spans_of(cp for a, b in ranges(root + "/IndicSyllabicCategory.txt", (name,))
                             for cp in range(a, b + 1) if cp in inside)
    marks = ranges(root + "/auxiliary/GraphemeBreakProperty.txt", ("SpacingMark",))
    yield "Spacing_mark", spans_of(cp for a, b in marks for cp in range(a, b + 1))


def build(root):
    table = [1] * LAST
    for a, b in ranges(root + "/EastAsianWidth.txt", ("W", "F")):
        for cp in range(a, b + 1):
            table[cp] = WIDE
    for cp, cat in categories(root + "/UnicodeData.txt"):
        if cat in ("Mn", "Me"):
            table[cp] = EXTEND
        elif cat in ("Cc", "Cs", "Zl", "Zp") or (cat == "Cf" and cp != 0xAD and not 0x600 <= cp <= 0x605):
            table[cp] = 0
    for a, b in ((0x1160, 0x11FF), (0xD7B0, 0xD7FF), (0x200C, 0x200D), (0xE0020, 0xE007F)):
        for cp in range(a, b + 1):
            table[cp] = EXTEND  # Hangul vowels and finals, joiners, tags
    emoji = root + "/emoji/emoji-data.txt"
    for name, bit in (("Extended_Pictographic", PICT), ("Emoji", EMOJI), ("Emoji_Modifier", MODIFIER)):
        for a, b in ranges(emoji, (name,)):
            for cp in range(a, b + 1):
                table[cp] |= bit
    for cp in range(0x1F1E6, 0x1F200):
        table[cp] = 1 | REGIONAL
    for a, b in ((0x1100, 0x115F), (0xA960, 0xA97C), (0xAC00, 0xD7A3)):
        for cp in range(a, b + 1):
            table[cp] |= SCRIPT
    for name, spans in conjuncts(root):
        for a, b in spans:
            for cp in range(a, b + 1):
                if name == "Consonant" or name == "Spacing_mark" and table[cp] == 1:
                    table[cp] |= SCRIPT
    return table


def main():
    table = build(sys.argv[1])
    blocks, index, number = [], [], {}
    for at in range(0, LAST, 256):
        block = tuple(table[at:at + 256])
        if block not in number:
            number[block] = len(blocks)
            blocks.append(block)
        index.append(number[block])
    assert len(blocks) <= 256
    print("/* Made by core/base/gen-width.py from the Unicode character database; do not edit. */")
    print("const uint8_t width_stage1[0x1100] = {")
    for at in range(0, len(index), 24):
        print("\t" + " ".join("%d," % v for v in index[at:at + 24]))
    print("};\n\nconst uint8_t width_stage2[][256] = {")
    for block in blocks:
        print("\t{")
        for at in range(0, 256, 24):
            print("\t\t" + " ".join("%d," % v for v in block[at:at + 24]))
        print("\t},")
    print("};")
    for name, spans in conjuncts(sys.argv[1]):
        print("\nstatic const struct span %ss[] = {" % name.lower())
        for a, b in spans:
            print("\t{ 0x%04x, 0x%04x }," % (a, b))
        print("};")


main()
