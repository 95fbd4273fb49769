/** Holds what a service that listens answers against the description that it serves. */
import { AnswerCheck, type Answered } from "@porchlight/cloud/http/answer-check.fixture.ts";

/**
 * The description that the first service of this process served, by which all are judged, for they are of the same sources. To write it takes a
 * service as long as its start, and each schema is compiled when an answer first has it. That it is served, and is right, is tested by itself.
 */
let known: AnswerCheck | undefined;

export class Judge {
  readonly #base: string;
  #check: AnswerCheck | undefined;
  readonly #misfits: Error[] = [];

  /** @param base the service's address */
  constructor(base: string) {
    this.#base = base;
  }

  /** Reads the description once, before a request, since afterwards the service may be dead. @throws TypeError without a server */
  async ready(): Promise<void> {
    known ??= AnswerCheck.by(await (await fetch(`${this.#base}/api/openapi.json`)).text());
    this.#check = known;
  }

  /** Keeps it for the end when the description does not have the answer. @throws Error that names it */
  judge(answer: Answered): void {
    try {
      this.#check?.check(answer);
    } catch (error) {
      this.#misfits.push(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  }

  /** As `fetch`, for all but endless streams. @throws Error when the description does not have the answer */
  readonly fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
    await this.ready();
    const response = await fetch(url, init);
    const { status, headers } = response;
    const { pathname, search } = new URL(url);
    const text = await response.clone().text();
    const answer = { method: init.method ?? "GET", url: pathname + search, status, text };
    this.judge({ ...answer, headers: Object.fromEntries(headers) });
    return response;
  };

  /** At the end, for tests that expect some requests to fail. @throws the first misfit that there was */
  close(): void {
    for (const misfit of this.#misfits) throw misfit;
  }
}
