/** An npm registry on loopback with packages of a test's own, which can be made to answer late, in part, or not at all. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  /** Text of each file by its path. Those that are named in `bin` may be executed. */
  readonly files: Readonly<Record<string, string>>;
}

interface Published {
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly archive: Buffer;
}

interface Hold {
  asked(): void;
  left(): void;
}

export class NpmRegistry implements AsyncDisposable {
  readonly #server: Server;
  readonly #packages = new Map<string, Published>();
  readonly #held = new Map<string, Hold>();
  readonly #brokenOff = new Set<string>();

  private constructor(server: Server) {
    this.#server = server;
    server.on("request", ({ url = "/" }, response) => this.#answer(decodeURIComponent(url), response));
  }

  static async start(packages: readonly NpmPackage[]): Promise<NpmRegistry> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const registry = new NpmRegistry(server);
    for (const each of packages) registry.#publish(each);
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** From now on a package's archive is sent in half and no further. Reports when it was asked for, and when the caller has gone. */
  hold(name: string): { readonly asked: Promise<void>; readonly left: Promise<void> } {
    const asked = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    this.#held.set(name, { asked: asked.resolve, left: left.resolve });
    return { asked: asked.promise, left: left.promise };
  }

  /** The next time a package's archive is asked for, its connection ends after its first bytes. */
  breakOff(name: string): void {
    this.#brokenOff.add(name);
  }

  /** Undoes {@link hold}, for later callers. */
  release(name: string): void {
    this.#held.delete(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #publish({ files, ...manifest }: NpmPackage): void {
    const folder = mkdtempSync(join(tmpdir(), "porchlight-package-"));
    try {
      const all = { ...files, "package.json": JSON.stringify(manifest) };
      const programs = Object.values(manifest.bin ?? {});
      for (const [path, text] of Object.entries(all)) {
        const to = join(folder, "package", path);
        mkdirSync(dirname(to), { recursive: true });
        writeFileSync(to, text, { mode: programs.includes(path) ? 0o755 : 0o644 });
      }
      // The same bytes in each run: the digest in a lock file holds at another registry.
      const options = ["--mtime=@0", "--sort=name", "--use-compress-program=gzip -n"];
      execFileSync("tar", [...options, "-cf", "archive.tgz", "package"], { cwd: folder });
      this.#packages.set(manifest.name, { manifest, archive: readFileSync(join(folder, "archive.tgz")) });
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  #answer(path: string, response: ServerResponse): void {
    const [, name = "", file] = path.split("/");
    const found = this.#packages.get(name);
    if (!found) return void response.writeHead(404).end("{}");
    const { manifest, archive } = found;
    if (file === undefined) return void response.end(JSON.stringify(this.#document(name, manifest, archive)));
    const held = this.#held.get(name);
    response.setHeader("content-length", archive.length);
    if (this.#brokenOff.delete(name)) return void response.write(archive.subarray(0, 64), () => response.destroy());
    if (!held) return void response.end(archive);
    response.write(archive.subarray(0, archive.length / 2));
    response.once("close", held.left);
    held.asked();
  }

  /** A registry's description of a package with one version. */
  #document(name: string, manifest: Readonly<Record<string, unknown>>, archive: Buffer): unknown {
    const version = String(manifest.version);
    const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
    const dist = { integrity, tarball: `${this.url}${name}/archive.tgz` };
    return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
  }
}
