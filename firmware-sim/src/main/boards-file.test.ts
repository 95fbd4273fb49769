import { expect, test } from "vitest";
import { readBoards } from "./conform.ts";

test("a file of boards states where each is, or what starts it, and who touches it", () => {
  const file = `
boards:
  - name: lamp
    serial: /dev/ttyUSB0@115200
    flash: ./flash.sh lamp.bin
    reset: ./reset.sh
    stimulate: [./press.sh]
  - name: emulated lamp
    exec: qemu-system-arm -serial {port}
`;
  expect(readBoards(file)).toEqual({
    kind: "ok",
    boards: [
      {
        ...{ name: "lamp", serial: "/dev/ttyUSB0@115200", flash: "./flash.sh lamp.bin", reset: "./reset.sh" },
        stimulate: ["./press.sh"],
      },
      { name: "emulated lamp", exec: "qemu-system-arm -serial {port}" },
    ],
  });
});

test("its mistakes are named at once, each with its line", () => {
  const file = `boards:
  - name: lamp
  - name: lamp
    serial: /dev/ttyUSB0
    tcp: 192.168.1.40:7300
  - serial: 3
    rest: ./reset.sh
  - name: other
    exec: ./lamp
    psk: 00
`;
  expect(readBoards(file)).toEqual({
    kind: "problems",
    problems: [
      "line 2: a board needs one of serial, tcp and exec",
      "line 3: a board needs one of serial, tcp and exec",
      "line 3: lamp is there twice",
      "line 6: name is missing",
      "line 6: serial must be a text",
      'line 7: key "rest" is not known: did you mean "reset"?',
      "line 10: psk must be a text",
    ],
  });
});
