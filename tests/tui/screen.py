"""A `warpsim tui` at the other end of a pseudo-terminal, with pyte as its screen."""
import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
import unicodedata

import pyte

KEYS = {"left": "\x1bOD", "right": "\x1bOC", "up": "\x1bOA", "down": "\x1bOB", "home": "\x1b[1~", "end": "\x1b[4~",
        "escape": "\x1b"}


class Screen(pyte.Screen):
    """pyte's, with the scrolling by several lines that it lacks."""

    def scroll_up(self, lines=1):
        self._scroll(lines, True)

    def scroll_down(self, lines=1):
        self._scroll(lines, False)

    def _scroll(self, lines, up):
        x, y = self.cursor.x, self.cursor.y
        top, bottom = self.margins or (0, self.lines - 1)
        self.cursor.y = bottom if up else top
        for _ in range(lines or 1):
            self.index() if up else self.reverse_index()
        self.cursor.x, self.cursor.y = x, y


class Stream(pyte.ByteStream):
    csi = {**pyte.ByteStream.csi, "S": "scroll_up", "T": "scroll_down"}
    events = pyte.ByteStream.events | {"scroll_up", "scroll_down"}


class Session:
    def __init__(self, command, columns=80, rows=24, environment=None):
        self.screen = Screen(columns, rows)
        self.stream = Stream(self.screen)
        self.raw = b""
        self.code = None
        self.signal = None
        self.ended = False
        sized, size_is_set = os.pipe()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.close(size_is_set)
            os.read(sized, 1)
            os.environ.update({"TERM": "screen-256color", "LANG": "C.UTF-8"})
            for name in ("COLUMNS", "LINES", "NO_COLOR"):
                os.environ.pop(name, None)
            os.environ.update(environment or {})
            os.execv(command[0], command)
        os.close(sized)
        self._size(columns, rows)
        self.before = termios.tcgetattr(self.fd)
        os.close(size_is_set)

    def _size(self, columns, rows):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns, rows):
        self.screen.resize(rows, columns)
        self._size(columns, rows)  # the kernel sends SIGWINCH

    def read(self, seconds):
        ready, _, _ = select.select([self.fd], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # the other end is closed
            data = b""
        self.ended = not data
        self.raw += data
        self.stream.feed(data)
        return bool(data)

    def until(self, wanted, seconds=60):
        """Reads until the screen's text is as `wanted`, a string in it or a function of it, says."""
        fits = wanted if callable(wanted) else lambda text: wanted in text
        end = time.monotonic() + seconds
        while not (self.rests() and fits(self.text())):
            if self.ended or time.monotonic() > end:
                raise AssertionError(f"{'it has ended; ' if self.ended else ''}not on the screen: {wanted!r}\n{self.text()}")
            self.read(0.2)
        return self.text()

    def rests(self):
        """Whether the picture is whole: the process waits, and nothing that it wrote is still to be read."""
        with open(f"/proc/{self.pid}/stat", encoding="ascii") as stat:
            waits = stat.read().rpartition(")")[2].split()[0] in "SZ"
        return not self.read(0.05) and (waits or self.ended)

    def send(self, keys):
        os.write(self.fd, KEYS.get(keys, keys).encode())

    def type(self, keys, wanted):
        self.send(keys)
        return self.until(wanted)

    def text(self):
        # Not Screen.display, which fails where half of a wide character has been written over.
        lines = []
        for y in range(self.screen.lines):
            row, line, wide = self.screen.buffer[y], "", False
            for x in range(self.screen.columns):
                data = row[x].data
                line += data if data else "" if wide else " "
                wide = bool(data) and unicodedata.east_asian_width(data[0]) == "W"
            lines.append(line.rstrip())
        return "\n".join(lines)

    def rows(self):
        return self.text().split("\n")

    def end(self, seconds=60):
        """Waits for the process; what the terminal was left as is in `restored`."""
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            if self.ended or not self.read(0.05):
                time.sleep(0.01)
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                break
        else:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            raise AssertionError(f"it does not end\n{self.text()}")
        while not self.ended and self.read(0.05) and time.monotonic() < limit + seconds:
            pass
        self.code = os.waitstatus_to_exitcode(status)
        left_alternate = self.raw.rfind(b"\x1b[?1049l") > self.raw.rfind(b"\x1b[?1049h")
        cursor_shown = self.raw.rfind(b"\x1b[?25h") > self.raw.rfind(b"\x1b[?25l") or b"\x1b[?25l" not in self.raw
        same_modes = self.modes == self.before[:4] if self.modes else True
        self.restored = left_alternate and cursor_shown and same_modes
        return self.code

    @property
    def modes(self):
        try:
            return termios.tcgetattr(self.fd)[:4]
        except termios.error:
            return None
