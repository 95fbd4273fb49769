/**
 * A serial port as a process: a pseudo-terminal under the path of its one argument, whose bytes are its stdin and stdout. Its own
 * process because each process that its opener starts would inherit the terminal, which would then outlive being unplugged.
 */
import { openPty } from "@porchlight/firmware-sim/simulator/links/pty-link.ts";

const { link } = openPty(process.argv[2]);
link.listen(
  (bytes) => void process.stdout.write(bytes),
  () => process.exit(1),
);
process.stdin.on("data", (bytes) => void link.write(bytes).catch(() => undefined));
// Its parent process is gone.
process.stdin.on("end", () => process.exit(0));
