/** The first hour, as its page has it: every block of it is pasted into a shell, with nothing but curl. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { Program } from "../parts/program.ts";

const run = promisify(execFile);

/** Code of a page, block by block, as a reader copies it. */
function blocksOf(page: string): string[] {
  const found = [...page.matchAll(/<pre[^>]*><code>([\s\S]*?)<\/code><\/pre>/g)].map(([, code = ""]) => code);
  return found.map((code) =>
    code.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"),
  );
}

/** A shell that remembers, and a reader who copies what the last answer has into the variable that asks for it. */
class Reader {
  #variables = "";
  #last = "";
  readonly answers: string[] = [];

  async paste(block: string): Promise<void> {
    for (const line of block.split("\n")) {
      const [, name, prefix] = /^(\w+)=(\w+_)…$/.exec(line) ?? [];
      if (name && prefix) this.#remember(`${name}=${this.#copy(prefix)}`);
      else if (/^\w+=/.test(line)) this.#remember(line);
      else if (line.startsWith("curl ")) await this.#call(line);
    }
  }

  #remember(line: string): void {
    this.#variables += `${line}\n`;
  }

  #copy(prefix: string): string {
    const found = new RegExp(`"((?:token|id|environmentId)":")(${prefix}\\w+)"`).exec(this.#last)?.[2];
    if (!found) throw new Error(`the last answer has no ${prefix}…: ${this.#last}`);
    return found;
  }

  async #call(line: string): Promise<void> {
    const script = `${this.#variables}${line} --fail-with-body`;
    const { stdout } = await run("bash", ["-c", script]).catch(({ stdout }) => {
      throw new Error(`${line}\n${stdout}`);
    });
    this.#last = stdout;
    this.answers.push(stdout);
  }
}

it("from the page alone, a reader gets from sign-up to a lamp that is set by its alias", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "porchlight-first-hour-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const cloud = stack.use(new Program("cloud", "cloud/src/main.ts", ["serve", "--port", "0", "--data", folder]));
  const origin = await cloud.line((line) => /^listening on (http\S+)$/.exec(line)?.[1]);

  const page = await (await fetch(`${origin}/docs/first-hour`)).text();
  const reader = new Reader();
  for (const block of blocksOf(page)) await reader.paste(block);

  const [set = "", cached = "", asked = ""] = reader.answers.slice(-3);
  expect(set).toMatch(/^HTTP\/1.1 200 /);
  expect(set).toContain("x-command-id: cmd_");
  for (const answer of [set, cached, asked]) expect(answer).toContain('"value":120');
});
