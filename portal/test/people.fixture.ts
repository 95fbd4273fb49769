/** A cloud with its portal, a browser, and people who sign up and log in there: what tests of the portal's pages begin with. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { Api } from "../../test/parts/api.ts";
import { Chromium, type Visit } from "../../test/parts/chromium.ts";
import { eventually } from "../../test/parts/eventually.ts";
import { Judge } from "../../test/parts/judge.ts";
import { Program } from "../../test/parts/program.ts";
import { haveLogIn, sendLogIn } from "./log-in.ts";

/** What a token was used for is there soon, and not ten seconds later. */
const QUICK = { PORCHLIGHT_RECORD_EVERY_MS: "250" };

export const PASSWORD = "a sentence of this person";

/** What was made with an account. */
export interface Made {
  readonly email: string;
  readonly accountId: string;
  readonly ecosystemId: string;
  readonly environmentId: string;
  readonly userId: string;
}

export class People implements AsyncDisposable {
  readonly origin: string;
  /** Without a token. */
  readonly api: Api;
  readonly #chromium: Chromium;
  readonly #judge: Judge;
  readonly #folder: string;
  readonly #stack: AsyncDisposableStack;
  #count = 0;

  private constructor(origin: string, chromium: Chromium, judge: Judge, folder: string, stack: AsyncDisposableStack) {
    this.origin = origin;
    this.api = new Api(origin, undefined, judge);
    this.#chromium = chromium;
    this.#judge = judge;
    this.#folder = folder;
    this.#stack = stack;
  }

  static async start(): Promise<People> {
    await using stack = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), "porchlight-portal-"));
    stack.defer(() => rmSync(folder, { recursive: true, force: true }));
    const args = ["serve", "--port", "0", "--data", folder, "--rate-limit", "off"];
    const cloud = stack.use(new Program("cloud", "cloud/src/main.ts", args, QUICK));
    const origin = await cloud.line((line) => /^listening on (http\S+)$/.exec(line)?.[1]);
    const judge = new Judge(origin);
    stack.defer(() => judge.close());
    const chromium = stack.use(await Chromium.start());
    return new People(origin, chromium, judge, folder, stack.move());
  }

  /** A fresh profile, without a log-in. @param isJudged whether what it is answered is what the API describes */
  visit(scheme?: "light" | "dark", isJudged = true): Promise<Visit> {
    return this.#chromium.visit(scheme, isJudged ? this.#judge : undefined);
  }

  /** A new person, logged in, on the way to a path. */
  async arrives(path: (made: Made) => string = () => "/", scheme?: "light" | "dark"): Promise<Visit & Made> {
    const email = `person${++this.#count}@example.com`;
    const made = await this.api.good<Omit<Made, "email" | "accountId"> & { readonly id: string }>(
      "POST",
      "/api/accounts",
      { email, password: PASSWORD },
    );
    const { id: accountId, ecosystemId, environmentId, userId } = made;
    const facts = { email, accountId, ecosystemId, environmentId, userId };
    const visit = await this.visit(scheme);
    await haveLogIn(visit.page, this.origin, { email, password: PASSWORD });
    await visit.page.goto(this.origin + path(facts));
    return { ...visit, ...facts };
  }

  /** The API with an account token. */
  async as(email: string): Promise<Api> {
    const { token } = await this.api.good<{ token: string }>("POST", "/api/accounts/login", {
      email,
      password: PASSWORD,
    });
    return this.api.as(token);
  }

  /** The code of the letter with that subject to an address, once it has been sent. */
  codeTo(email: string, subject: string): Promise<string> {
    const mail = join(this.#folder, "mail");
    return eventually(`a letter to ${email}`, async () => {
      const letters = readdirSync(mail).map((name) => readFileSync(join(mail, name), "utf8"));
      const letter = letters.find((text) => text.includes(`To: ${email}`) && text.includes(`Subject: ${subject}`));
      return /^code: (\S+)$/m.exec(letter ?? "")?.[1];
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

/** Sends the form of the log-in for one of these people. */
export function enter(page: Page, email: string, password = PASSWORD): Promise<void> {
  return sendLogIn(page, { email, password });
}
