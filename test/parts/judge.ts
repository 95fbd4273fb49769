/** Holds what a service in a process of its own answers against the description that it serves. */
import { AnswerCheck, type Answered } from "@porchlight/cloud/http/answer-check.fixture.ts";

export class Judge {
  readonly #base: string;
  #check: AnswerCheck | undefined;
  readonly #misfits: string[] = [];

  /** @param base the service's address */
  constructor(base: string) {
    this.#base = base;
  }

  /** Reads the description, once: before a request, since afterwards the service may be dead. @throws TypeError when nobody is there */
  async ready(): Promise<void> {
    this.#check ??= AnswerCheck.by(await (await fetch(`${this.#base}/api/openapi.json`)).text());
  }

  /** @throws Error when the answer is not one that the description has */
  judge(answer: Answered): void {
    try {
      this.#check?.check(answer);
    } catch (error) {
      this.#misfits.push(String(error));
      throw error;
    }
  }

  /** At the end: a test that expects requests to fail hears of misfits too. @throws Error with all that there were */
  close(): void {
    if (this.#misfits.length > 0) throw new Error(this.#misfits.join("\n"));
  }
}
