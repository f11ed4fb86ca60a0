#!/usr/bin/env python3
"""`warpsim tui` through a pseudo-terminal: tests/tui/run.py WARPSIM. Exit code 77, aloud, without python3-pyte."""
import os
import signal
import subprocess
import sys
import tempfile
import unittest

try:
    from screen import Session
except ImportError as missing:
    print(f"skipped: {missing} (tools/setup.sh test installs python3-pyte)")
    sys.exit(77)

WARPSIM = os.path.abspath(sys.argv[1])
BUTTERFLY = ["p26/butterfly_parallel_max", "--case", "worked", "--lanes", "8"]


def start(*words, **more):
    return Session([WARPSIM, "tui", *words], **more)


def at_the_start():
    tui = start(*BUTTERFLY)
    tui.until("cycle 0/26")
    return tui


class Tui(unittest.TestCase):
    def leave(self, tui, code=0):
        self.assertEqual(tui.end(), code)
        self.assertTrue(tui.restored, repr(tui.raw[-200:]))

    def test_steps_forwards_and_back(self):
        tui = at_the_start()
        self.assertIn("Before the first instruction.", tui.text())
        first = tui.type("n", "cycle 1/26")
        tui.type("n", "cycle 2/26")
        tui.type("p", lambda text: text == first)
        tui.type("]", "shuffle_xor(max_val, 4): lane 0 receives 8 from lane 4; 8 lanes")
        rows = tui.rows()
        heads = next(k for k, row in enumerate(rows) if row.count("▼") == 8)
        self.assertEqual(rows[heads + 1].split()[-8:], ["8", "10", "12", "1000", "0", "2", "4", "6"])
        self.assertEqual(rows[heads + 2].split()[-8:], ["4", "5", "6", "7", "0", "1", "2", "3"])
        self.assertEqual(rows[heads - 5].split()[-8:], ["0", "2", "4", "6", "8", "10", "12", "1000"])
        tui.type("end", "Butterfly parallel max test passed!")
        tui.type("home", "cycle 0/26")
        tui.send("q")
        self.leave(tui)

    def test_commands_and_their_answers(self):
        tui = at_the_start()
        tui.type(":break 34\r", "Breakpoint 1 at line 34.")
        tui.type("c", "cycle 9/26")
        self.assertRegex(tui.text(), r"(?m)^B▶34 ")
        tui.type("\t", "[lanes]")
        tui.type("right", "%max_val#1 = 2")
        tui.type("w", "why %max_val#1")
        tui.type("\t", "input[1], an input")
        tui.type(":nonsense\r", 'Undefined command: "nonsense"')
        tui.type(":quit\r", lambda text: True)
        self.leave(tui)

    def test_32_lanes_at_80_by_24(self):
        tui = start("p26/butterfly_parallel_max", "--lanes", "32")
        tui.until("cycle 0/")
        for lanes_apart in (16, 8, 4, 2, 1):
            tui.type("]", f"shuffle_xor(max_val, {lanes_apart})")
            rows = tui.rows()
            self.assertLessEqual(max(map(len, rows)), 80)
            program, lanes = zip(*(row.split("│", 1) for row in rows[1:17]))
            for row in program:
                self.assertNotRegex(row, r"\.(phase|draw|picture)|//")
            self.assertEqual(lanes[0].split(), ["lane▶", *map(str, range(8))])
            self.assertEqual(max(row.count("▼") for row in lanes), 8, tui.text())
            self.assertEqual(lanes[-1].split(), ["from", *(str(lane ^ lanes_apart) for lane in range(8))])
        tui.send("q")
        self.leave(tui)

    def test_gdbs_words(self):
        tui = at_the_start()
        tui.type(":goto 9\r", "cycle 9/26")
        tui.type(":p sum($max_val)\r", "sum(%max_val) = 1042")
        tui.type(":thread 5\r", "thread (5,0,0): warp 0, lane 5")
        tui.type(":layout regs\r", "[lanes]")
        tui.type(":break 34\r", "Breakpoint 1 at line 34.")
        tui.type(":commands\r", "`end` closes the list")
        tui.type(":print %max_val\r", "(warpsim) print %max_val")
        tui.type(":end\r", "(warpsim) end")
        tui.type(":continue\r", "Breakpoint 1, line 34")
        self.assertIn("%max_val = 10   (lane 5)", tui.text())
        tui.send("q")
        self.leave(tui)

    def test_resizes(self):
        tui = at_the_start()
        tui.type("]", "cycle 9/26")
        tui.resize(70, 20)
        tui.until(lambda text: "80 columns and 24 rows are needed" in text and "70x20" in text)
        tui.type("n", "70x20")  # and goes on
        tui.resize(120, 40)
        tui.until("cycle 10/26")
        tui.until(lambda text: any(row.startswith("──") and len(row) == 120 for row in text.split("\n")))
        tui.resize(80, 24)
        tui.until(lambda text: any(row.startswith("──") and len(row) == 80 for row in text.split("\n")))
        tui.send("q")
        self.leave(tui)

    def test_korean_and_ascii(self):
        tui = start(*BUTTERFLY, "--lang", "ko", columns=120, rows=40)
        tui.until("사이클 0/26")
        tui.type("]", "Lane 0이 Lane 4에서 8을 수신")
        self.assertIn("1단계: shuffle_xor(max_val, 4) - 절반 교환", tui.text())
        tui.type("?", "다음 명령")
        tui.send("n")
        tui.until(lambda text: "다음 명령" not in text)
        tui.send("q")
        self.leave(tui)
        tui = start(*BUTTERFLY, "--ascii")
        tui.until("cycle 0/26")
        tui.type("]", "+----+----+----+----+")
        self.assertTrue(tui.text().isascii(), tui.text())
        tui.type("?", "the warp's next instruction")
        self.assertTrue(tui.text().isascii(), tui.text())
        tui.send("\x03")
        self.leave(tui)

    def test_ctrl_c_cancels_what_is_typed(self):
        tui = at_the_start()
        tui.type("n", "cycle 1/26")
        tui.type(":print %max", ":print %max")
        tui.send("\x03")
        tui.until(lambda text: ":print %max" not in text and "cycle 1/26" in text)
        tui.type("n", "cycle 2/26")
        tui.send("\x03")
        self.leave(tui)

    def test_no_color(self):
        colors = {}
        for name, words, environment in (("yes", [], {}), ("no", [], {"NO_COLOR": "1"}),
                                         ("never", ["--color", "never"], {}),
                                         ("always", ["--color", "always"], {"NO_COLOR": "1"})):
            tui = start(*BUTTERFLY, *words, environment=environment)
            tui.until("cycle 0/26")
            tui.type("]", "cycle 9/26")
            tui.send("q")
            self.leave(tui)
            colors[name] = {tui.screen.buffer[y][x].fg for y in range(24) for x in range(80)} != {"default"} or \
                b"\x1b[36m" in tui.raw
        self.assertEqual(colors, {"yes": True, "no": False, "never": False, "always": True})

    def test_signals_give_the_terminal_back(self):
        for name in (signal.SIGTERM, signal.SIGHUP, signal.SIGABRT, signal.SIGSEGV):
            tui = at_the_start()
            os.kill(tui.pid, name)
            self.leave(tui, 70 if name == signal.SIGABRT else -name)

    def test_a_trace_whose_text_is_hostile(self):
        trace = subprocess.run([WARPSIM, "trace", *BUTTERFLY], capture_output=True, check=True).stdout
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            file.write(trace.replace(b'p26/butterfly_parallel_max', b'p26/\\u001b]0;owned\\u0007\\u001b[2J'))
            file.flush()
            tui = start(file.name)
            tui.until("p26/?]0;owned??[2J")
            self.assertNotIn(b"]0;owned\x07", tui.raw)
            tui.send("q")
            self.leave(tui)

    def test_where_it_cannot(self):
        piped = subprocess.run([WARPSIM, "tui", *BUTTERFLY], capture_output=True, stdin=subprocess.DEVNULL, text=True)
        self.assertEqual(piped.returncode, 2)
        self.assertIn("`tui` wants a terminal", piped.stderr)
        tui = start(*BUTTERFLY, environment={"TERM": "no-such-terminal"})
        self.assertEqual(tui.end(), 5)
        self.assertIn("the terminal `no-such-terminal` is not known here", tui.text().replace("\n", " "))
        tui = start("no/such")
        self.assertEqual(tui.end(), 2)
        self.assertNotIn(b"\x1b[?1049h", tui.raw)


if __name__ == "__main__":
    probe = subprocess.run([WARPSIM, "tui", *BUTTERFLY], capture_output=True, stdin=subprocess.DEVNULL, text=True)
    if "without ncurses" in probe.stderr:
        print("skipped: this warpsim was built without ncurses (tools/setup.sh build installs libncurses-dev)")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
