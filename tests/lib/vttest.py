#!/usr/bin/env python3
"""vttest.py TARGET GOLDENS - drives vttest in the session TARGET through its menus and compares each screen.

A file of GOLDENS holds the screens of one menu item in their order; its name is the item's path (11.2.3.screen). A key is
pressed when something was printed since the last key and the screen is the one expected; nothing is timed. UPDATE=1 writes the
files anew: each screen is taken when nothing has been printed for a while, and must be judged by eye before it is kept.
ONLY=PATH runs one item.
"""
import json
import os
import re
import subprocess
import sys
import time

TARGET, GOLDENS = sys.argv[1:3]
UPDATE = bool(os.environ.get("UPDATE"))
ONLY = os.environ.get("ONLY", "")
DEADLINE = float(os.environ.get("DEADLINE", "60"))
MOST = 60  # screens of one item

# Items that need a person, a printer, or what no session has: by path, or by a part of their name; why.
SKIPPED = {
    "4": "a cell is a cell here: no line is of double size",
    "10": "self-tests hang up the line",
    "12": "parameters of vttest itself",
}
SKIPPED_NAMES = {
    "Specify G": "a setting",
    "Reset (G0": "a setting",
    "NRC) mode": "a setting",
    "able highlighting": "a setting",
    "Tabs": "a setting",
    "Reset Tab": "a setting",
    "Keyboard": "a keyboard needs a person",
    "keyboard": "a keyboard needs a person",
    "Send/Receive": "a keyboard needs a person",
    "User-Defined Keys": "a keyboard needs a person",
    "ocator": "a mouse needs a person",
    "ouse": "a mouse needs a person",
    "Soft Character Sets": "fonts are not for cells",
    "Printing functions": "no session has a printer",
    "Set window title": "asks for a title and shows it nowhere",
    "Font features": "fonts are not for cells",
    "Tektronix": "no vector graphics",
    "Window modify-operations": "nothing inside moves the outer window",
}


def skipped(path, name):
    if path in SKIPPED:
        return SKIPPED[path]
    if path.count(".") > 1 and re.match(r"Test VT\d+ features", name):
        return "the same as 11.1 and on"
    if re.match("Test Keyboard Status", name):
        return None
    return next((why for part, why in SKIPPED_NAMES.items() if part in name), None)


def sandesk(*args):
    return subprocess.run(["sandesk", *args], check=True, capture_output=True, text=True).stdout


def capture():
    return json.loads(sandesk("capture", TARGET, "--json"))


def text_of(screen):
    rows = [""] * screen["rows"]
    for at, line in enumerate(screen["lines"]):
        for run in line["runs"]:
            rows[at] = rows[at].ljust(run["col"]) + run["text"]
    return [row.rstrip() for row in rows]


def looks_of(screen):
    """A line for each run that is not in the default style."""
    for at, line in enumerate(screen["lines"]):
        for run in line["runs"]:
            looks = [f"{k}={v if isinstance(v, (str, int)) else '+'.join(v)}" for k, v in sorted(run.items())
                     if k not in ("col", "cells", "text")]
            if looks:
                yield f"attr {at} {run['col']}-{run['col'] + run['cells'] - 1} {' '.join(looks)}"


def picture(screen):
    cursor = screen["cursor"]
    lines = ["|" + row for row in text_of(screen)]
    while lines and lines[-1] == "|":
        lines.pop()
    if screen["reverse"]:
        lines.append("reverse")
    lines += looks_of(screen)
    lines.append(f"cursor {cursor['row']} {cursor['col']}{'' if cursor['visible'] else ' hidden'}")
    return "\n".join(lines) + "\n"


def is_menu(rows):
    return any(re.search(r"Enter choice number \(0 - \d+\):$", row) for row in rows)


def choices(rows):
    found = (re.match(r" +(\d+)[.*] (.*)", row) for row in rows)
    return [(m[1], m[2]) for m in found if m and m[1] != "0"]


def title(rows):
    """Which menu it is: a switch in it may change what its items are called."""
    return next(row for row in rows if row).strip()


def settled():
    sandesk("wait", TARGET, "--quiet", os.environ.get("QUIET", "0.35"), "--timeout", "30")
    return capture()


def golden_read(path):
    try:
        with open(f"{GOLDENS}/{path}.screen", encoding="utf-8") as f:
            return re.split(r"^== \d+\n", f.read(), flags=re.M)[1:]
    except FileNotFoundError:
        return []


class Wrong(Exception):
    pass


def expect(path, want, printed):
    """The screen that the golden has; when it has no more, a menu. Two screens in a row may look the same: the bytes that the
    session has printed tell the second from the first."""
    end, pause = time.monotonic() + DEADLINE, 0.002
    while True:
        screen = capture()
        got = picture(screen)
        if screen["bytes"] > printed and (got == want or (want is None and is_menu(text_of(screen)))):
            return screen
        if time.monotonic() > end:
            raise Wrong(f"{path}: wanted:\n{want or 'a menu'}\ngot:\n{got}")
        # vttest itself waits for seconds in places: looking less often leaves the machine to the other menus.
        time.sleep(pause)
        pause = min(pause * 1.5, 0.1)


def press(key, rows=()):
    """A key and Return; tests of keyboards and mice end by a mere q."""
    if any("'q'" in row for row in rows) and not any("Push <RETURN>" in row for row in rows):
        sandesk("send", TARGET, "q")
    else:
        sandesk("send", TARGET, key, "--enter")


class Walk:
    def __init__(self):
        self.screens = 0

    def item(self, path, menu):
        """Runs the item that was chosen on the screen `menu` up to its end: the next menu's screen, which is returned."""
        golden, seen = golden_read(path), []
        last = menu
        while True:
            at = len(seen)
            screen = settled() if UPDATE else expect(path, golden[at] if at < len(golden) else None, last["bytes"])
            rows = text_of(screen)
            if is_menu(rows):
                break
            last = screen
            seen.append(picture(screen))
            self.screens += 1
            if len(seen) > MOST:
                raise Wrong(f"{path} does not end")
            press("", rows)
        if UPDATE and seen:
            with open(f"{GOLDENS}/{path}.screen", "w", encoding="utf-8") as f:
                f.writelines(f"== {i + 1}\n{s}" for i, s in enumerate(seen))
        return screen

    def menu(self, path, screen, above=()):
        """Runs the items of the menu on the screen; returns the screen that it is left with."""
        own = text_of(screen)
        for number, name in choices(own):
            there = f"{path}.{number}" if path else number
            why = skipped(there, name)
            if why:
                print(f"# {there} {name}: skipped: {why}")
                continue
            if ONLY and not (there + ".").startswith(ONLY + ".") and not (ONLY + ".").startswith(there + "."):
                continue
            press(number)
            screen = self.item(there, screen)
            if title(text_of(screen)) != title(own):
                if title(text_of(screen)) in above:
                    raise Wrong(f"{there} leads back to {title(text_of(screen))}")
                screen = self.menu(there, screen, (*above, title(own)))
                press("0")
                screen = self.item(there + ".0", screen)
        return screen


walk = Walk()
sandesk("wait", TARGET, "--text", "Enter choice number", "--timeout", "15")
try:
    walk.menu("", settled())
except Wrong as wrong:
    print(f"# {wrong}".replace("\n", "\n# "))
    sys.exit(1)
print(f"# {walk.screens} screens")
