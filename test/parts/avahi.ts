/**
 * A home network of its own, with Avahi on it: a network namespace that holds one interface, a message bus and an Avahi daemon.
 * Programs of a test join it; nothing of it reaches the machine's own network.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

/** What makes the namespace a home: it reports when Avahi is ready, and ends with its stdin. */
const HOME = `
set -e
trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT
ip link set lo up
ip link add home0 type veth peer name other0
ip link set other0 up
for address in "$@"; do ip addr add "$address/24" dev home0; done
ip link set home0 up multicast on
mount -t tmpfs tmpfs /run
mkdir /run/avahi-daemon
mkfifo "$FOLDER/bus-is-ready"
dbus-daemon --config-file="$FOLDER/bus.conf" --nofork --nopidfile --print-address=9 9> "$FOLDER/bus-is-ready" >&2 &
# Its socket is there before it listens on it, and Avahi ends where it does not.
read -r _ < "$FOLDER/bus-is-ready"
avahi-daemon -f "$FOLDER/avahi.conf" --no-drop-root --no-chroot --no-rlimits > >(sed -un 's/.*Server startup complete.*/ready/p; w /dev/stderr') 2>&1 &
cat > /dev/null
`;

const avahiConfig = `
[server]
allow-interfaces=home0
use-ipv6=no
[publish]
publish-workstation=no
publish-hinfo=no
`;

const busConfig = (folder: string) => `<busconfig>
  <type>system</type><listen>unix:path=${folder}/bus</listen><auth>EXTERNAL</auth>
  <policy context="default">
    <allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/><allow user="*"/>
  </policy>
</busconfig>`;

export class AvahiHome implements AsyncDisposable {
  readonly folder: string;
  readonly #holder: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #published = new Set<ChildProcess>();

  private constructor(folder: string, holder: ChildProcess) {
    this.folder = folder;
    this.#holder = holder;
    this.#ended = new Promise((resolve) => holder.once("exit", resolve));
  }

  /** @param addresses IPv4, of the one interface @throws Error with its output when Avahi does not come up */
  static async start(...addresses: string[]): Promise<AvahiHome> {
    const folder = mkdtempSync(join(tmpdir(), "porchlight-avahi-"));
    writeFileSync(join(folder, "avahi.conf"), avahiConfig);
    writeFileSync(join(folder, "bus.conf"), busConfig(folder));
    // A user other than root is, in a namespace of its own.
    const asRoot = process.getuid?.() === 0 ? [] : ["--map-root-user"];
    const home = new AvahiHome(
      folder,
      spawn("unshare", [...asRoot, "--net", "--mount", "bash", "-c", HOME, "home", ...addresses], {
        env: { ...process.env, FOLDER: folder, DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${folder}/bus` },
        stdio: ["pipe", "pipe", "pipe"],
      }),
    );
    await home.#ready();
    return home;
  }

  /** A command line that puts what follows into this home. */
  get within(): readonly string[] {
    const asRoot = process.getuid?.() === 0 ? [] : ["--user", "--preserve-credentials"];
    return ["nsenter", `--target=${this.#holder.pid}`, ...asRoot, "--net"];
  }

  /** What Avahi has of that service now, a line each (`avahi-browse --parsable`). */
  async browse(service: string): Promise<string[]> {
    // Inside, where the interfaces have the numbers that Avahi speaks of.
    const [nsenter = "", ...words] = [
      ...this.within,
      "avahi-browse",
      "--resolve",
      "--parsable",
      "--terminate",
      service,
    ];
    const { stdout } = await promisify(execFile)(nsenter, words, { env: this.#env });
    return stdout.split("\n").filter((line) => line.startsWith("="));
  }

  /** Has Avahi announce something (`avahi-publish`), until the answer is called. */
  publish(...words: string[]): () => void {
    const publisher = spawn("avahi-publish", words, { env: this.#env, stdio: "ignore" });
    this.#published.add(publisher);
    return () => void publisher.kill();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const publisher of this.#published) publisher.kill();
    this.#holder.stdin?.end();
    await this.#ended;
    rmSync(this.folder, { recursive: true, force: true });
  }

  get #env() {
    return { ...process.env, DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${this.folder}/bus` };
  }

  async #ready(): Promise<void> {
    let output = "";
    this.#holder.stderr?.on("data", (bytes) => {
      output += bytes;
    });
    const { stdout } = this.#holder;
    const isReady = new Promise<boolean>((resolve) => {
      if (stdout) createInterface({ input: stdout }).on("line", (line) => line === "ready" && resolve(true));
      this.#holder.once("error", (failure) => {
        output += failure.message;
        resolve(false);
      });
      void this.#ended.then(() => resolve(false));
    });
    if (await isReady) return;
    rmSync(this.folder, { recursive: true, force: true });
    throw new Error(`there is no Avahi here:\n${output}`);
  }
}
