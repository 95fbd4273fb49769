/** HAProxy, nginx and Caddy from Debian, each with its example from `packaging/cloud`. What a test replaces in an example is listed here; all else runs as it stands. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TlsPair } from "@porchlight/cloud/http/tls.ts";
import { freePort } from "../parts/free-port.ts";
import { KeptServer } from "../parts/kept-server.ts";
import { ROOT } from "../parts/program.ts";

export type ProxyName = "HAProxy" | "nginx" | "Caddy";

interface Place {
  readonly folder: string;
  readonly port: number;
  /** For the redirect to TLS. */
  readonly plainPort: number;
  /** `127.0.0.1:PORT` of two nodes. */
  readonly nodes: readonly [string, string];
}

type Replacement = readonly [from: string | RegExp, to: string];

interface Example {
  readonly file: string;
  /** Each occurs, or the example is another than it was. */
  readonly replaced: (place: Place) => readonly Replacement[];
  /** The program's own settings around the example, where the example is a part of them. */
  readonly around?: (place: Place) => string;
  readonly command: (place: Place) => readonly string[];
  /** What the proxy logs when none of the nodes is ready; undefined where it does not ask them. */
  readonly noneReady?: string;
}

const EXAMPLES: Readonly<Record<ProxyName, Example>> = {
  HAProxy: {
    file: "haproxy.cfg",
    replaced: ({ folder, port, plainPort, nodes }) => [
      ["bind :443 ", `bind 127.0.0.1:${port} `],
      ["bind :80\n", `bind 127.0.0.1:${plainPort}\n`],
      ["/etc/ssl/cloud.example/", `${folder}/`],
      [/10\.0\.0\.11:8080/g, nodes[0]],
      [/10\.0\.0\.12:8080/g, nodes[1]],
      [/^ {4}server node3 .*\n/gm, ""],
      // A file descriptor each, which not every machine lets it have.
      [/maxconn 60000/g, "maxconn 1000"],
    ],
    command: ({ folder }) => ["haproxy", "-db", "-f", join(folder, "haproxy.cfg")],
    noneReady: "backend 'nodes' has no server available",
  },
  nginx: {
    file: "nginx.conf",
    replaced: ({ folder, port, plainPort, nodes }) => [
      ["listen 443 ", `listen 127.0.0.1:${port} `],
      ["listen 80;", `listen 127.0.0.1:${plainPort};`],
      // Not every machine has IPv6.
      [/^ {4}listen \[::\].*\n/gm, ""],
      [/\/etc\/ssl\/cloud\.example\//g, `${folder}/`],
      // As the comment in the file states for several nodes.
      ["    server 127.0.0.1:8080;", `    least_conn;\n${nodes.map(nginxServer).join("\n")}`],
    ],
    around: ({ folder }) => `daemon off;
pid ${folder}/nginx.pid;
error_log stderr;
${process.getuid?.() === 0 ? "user root;" : ""}
events {}
http {
    access_log off;
    ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((of) => `${of}_temp_path ${folder}/${of};`).join("\n    ")}
    include ${folder}/nginx.conf;
}
`,
    command: ({ folder }) => ["nginx", "-e", "stderr", "-c", join(folder, "around")],
  },
  Caddy: {
    file: "Caddyfile",
    replaced: ({ folder, port, nodes }) => [
      ["\ncloud.example {", `\nhttps://127.0.0.1:${port} {\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem`],
      // As the comment in the file states for several nodes.
      ["reverse_proxy 127.0.0.1:8080 {", `reverse_proxy ${nodes.join(" ")} {`],
      [/# ((?:lb|fail)_\w+ .*)/g, "$1"],
      // Debian 12 has Caddy 2.6, which does not know it.
      [/^\t+stream_close_delay .*\n/m, ""],
    ],
    around: ({ folder }) => `{
	admin off
	auto_https disable_redirects
}
import ${folder}/Caddyfile
`,
    command: ({ folder }) => ["caddy", "run", "--adapter", "caddyfile", "--config", join(folder, "around")],
  },
};

function nginxServer(address: string): string {
  return `    server ${address} max_fails=1 fail_timeout=2s;`;
}

/** Its own log, and its process's ID for {@link KeptServer}. */
const LOGGED = 'echo $$ > pid; exec "$@" >> log 2>&1';

export class ProxyProgram implements AsyncDisposable {
  readonly name: ProxyName;
  readonly url: string;
  readonly noneReady: string | undefined;
  readonly #folder: string;
  readonly #server: KeptServer;

  private constructor(name: ProxyName, { folder, port }: Place, server: KeptServer) {
    this.name = name;
    this.url = `https://127.0.0.1:${port}`;
    this.noneReady = EXAMPLES[name].noneReady;
    this.#folder = folder;
    this.#server = server;
  }

  /** Settles when it has been started; it may not listen yet. @throws Error when the example lacks a text that is replaced in it */
  static async start(name: ProxyName, nodes: readonly [string, string], { cert, key }: TlsPair): Promise<ProxyProgram> {
    const folder = mkdtempSync(join(tmpdir(), `porchlight-${name}-`));
    const place = { folder, port: await freePort(), plainPort: await freePort(), nodes };
    const { file, replaced, around, command } = EXAMPLES[name];
    const write = (path: string, text: string) => writeFileSync(join(folder, path), text, { mode: 0o600 });
    write(file, replaced(place).reduce(replace, readFileSync(join(ROOT, "packaging", "cloud", file), "utf8")));
    if (around) write("around", around(place));
    write("fullchain.pem", cert);
    write("privkey.pem", key);
    write("both.pem", `${cert}${key}`);
    mkdirSync(join(folder, "home"));
    const home = join(folder, "home");
    const server = await KeptServer.start({
      name,
      folder,
      command: ["sh", "-c", LOGGED, "sh", ...command(place)],
      // The line of the keeper.
      ready: "server ",
      quickEnd: "TERM",
      env: {
        ...{ PATH: `${process.env.PATH ?? ""}:/usr/sbin:/usr/bin`, HOME: home },
        ...{ XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
      },
    });
    return new ProxyProgram(name, place, server);
  }

  /** Its log. */
  get log(): string {
    return readFileSync(join(this.#folder, "log"), "utf8");
  }

  /** Kills it and starts it again, with nothing in its memory of which nodes answer. */
  async restart(): Promise<void> {
    await this.#server.kill();
    await this.#server.restart();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server[Symbol.asyncDispose]();
  }
}

function replace(text: string, [from, to]: Replacement): string {
  const replaced = text.replace(from, to);
  if (replaced === text) throw new Error(`the example has no ${from}`);
  return replaced;
}
