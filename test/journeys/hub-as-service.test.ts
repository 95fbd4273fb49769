/** An agent under a service manager: its notifications through the socket, received by systemd's own program. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { Program } from "../parts/program.ts";

/** Binds the socket and prints each datagram as a line: Node.js has no datagram sockets of the file system. */
const RECEIVER = `
  use Socket;
  socket(my $socket, PF_UNIX, SOCK_DGRAM, 0) or die; bind($socket, pack_sockaddr_un($ARGV[0])) or die "$!"; $| = 1;
  print "bound\\n";
  while (defined recv($socket, my $words, 8192, 0)) { $words =~ s/\\n/ /g; print "$words\\n"; }`;

it("systemd is notified when the agent is ready, what it does, that it is alive, and that it stops", async () => {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-notify-"));
  const socket = join(folder, "notify");
  const receiver = spawn("perl", ["-e", RECEIVER, socket], { stdio: ["ignore", "pipe", "inherit"] });
  const notifications: string[] = [];
  createInterface({ input: receiver.stdout }).on("line", (line) => notifications.push(line.trim()));
  const has = (words: string, times = 1) =>
    eventually(
      `it is notified: ${words}`,
      async () => notifications.filter((line) => line.includes(words)).length >= times,
    );
  try {
    await has("bound");
    const args = ["run", "--cloud", "http://127.0.0.1:1", "--data", join(folder, "data")];
    const env = { NOTIFY_SOCKET: socket, WATCHDOG_USEC: "900000" };
    await using agent = new Program("agent", "agent/src/main.ts", args, env);
    await has("READY=1");
    // It has no internet, which no restart would cure: it is alive all the same.
    await has("WATCHDOG=1", 3);
    expect(await agent.stop()).toEqual({ code: 0, signal: null });
    await has("STOPPING=1");
    const words = notifications.filter((line) => line !== "bound" && !line.startsWith("BARRIER"));
    // The notification is of the agent, and not of the program that sends it.
    expect(words[0]).toBe(`MAINPID=${agent.pid} READY=1 STATUS=unpaired, 0 of 0 devices live`);
    expect(words.at(-1)).toBe(`MAINPID=${agent.pid} STOPPING=1`);
  } finally {
    receiver.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});
