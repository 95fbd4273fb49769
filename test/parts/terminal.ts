/** A terminal with a shell in it, as a person sits at one: keys go in, and what stands on the screen comes out. It is tmux. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "./eventually.ts";

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** How a command of the shell ended, and its output on the terminal. */
export interface RanInTerminal {
  readonly exitStatus: number;
  readonly screen: string;
}

export class Terminal implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "porchlight-terminal-"));
  #commands = 0;

  constructor({ columns = 80, rows = 24, env = {} }: TerminalOptions = {}) {
    const given = { ...env, PS1: "$ ", LANG: "C.UTF-8" };
    const set = Object.entries(given).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
    const size = ["-x", String(columns), "-y", String(rows)];
    this.#tmux("new-session", "-d", ...size, ...set, "bash", "--norc", "--noprofile");
  }

  /** Text without Enter. */
  type(text: string): void {
    this.#tmux("send-keys", "-l", "--", text);
  }

  /** Keys by tmux's names: `Enter`, `C-c`, `Down`. */
  press(...keys: readonly string[]): void {
    this.#tmux("send-keys", ...keys);
  }

  resize(columns: number, rows: number): void {
    this.#tmux("resize-window", "-x", String(columns), "-y", String(rows));
  }

  /** What stands there now, without the spaces at the ends of lines. @param isWithPast also what has been scrolled away */
  screen(isWithPast = false): string {
    return this.#tmux("capture-pane", "-p", ...(isWithPast ? ["-S", "-"] : []));
  }

  /** Waits until that stands on the screen. @throws Error with the screen */
  async shows(what: RegExp): Promise<string> {
    return eventually(`the screen shows ${what}`, async () => {
      const screen = this.screen();
      if (what.test(screen)) return screen;
      throw new Error(`it shows\n${screen}`);
    });
  }

  /** Types a command line; gives what waits for its end, because the test may have to type more meanwhile. */
  begin(line: string): () => Promise<RanInTerminal> {
    this.#commands += 1;
    const mark = `end-${this.#commands}`;
    this.#tmux("send-keys", "-R");
    this.#tmux("clear-history");
    this.type(`${line}; echo "${mark}:$?"`);
    this.press("Enter");
    return () =>
      eventually(`${line} ends`, async () => {
        const screen = this.screen(true);
        const [, status] = new RegExp(`${mark}:(\\d+)$`, "m").exec(screen) ?? [];
        if (status === undefined) throw new Error(`it shows\n${screen}`);
        return { exitStatus: Number(status), screen };
      });
  }

  /** Types a command line, and waits for its end. */
  run(line: string): Promise<RanInTerminal> {
    return this.begin(line)();
  }

  [Symbol.dispose](): void {
    this.#tmux("kill-server");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #tmux(...args: readonly string[]): string {
    // A server of its own, without any user's settings.
    const own = ["-S", join(this.#folder, "tmux"), "-f", "/dev/null"];
    return execFileSync("tmux", [...own, ...args], { encoding: "utf8", env: withoutOwnSettings() });
  }
}

/** The person who runs the tests may have own settings for the programs under test. */
export function withoutOwnSettings(): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(PORCHLIGHT_|TMUX|NO_COLOR|FORCE_COLOR|XDG_)/.test(name),
  );
  return Object.fromEntries(kept);
}
