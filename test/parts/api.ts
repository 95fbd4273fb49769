/** The public REST API as a client of it calls it: method, path, status, headers, parsed body. */
import type { Judge } from "./judge.ts";

export interface Answer<T = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

export class Api {
  readonly base: string;
  readonly #token: string | undefined;
  readonly #judge: Judge | undefined;

  /** @param judge of every answer; benchmarks have none */
  constructor(base: string, token?: string, judge?: Judge) {
    this.base = base;
    this.#token = token;
    this.#judge = judge;
  }

  as(token: string): Api {
    return new Api(this.base, token, this.#judge);
  }

  async call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const response = await (this.#judge?.fetch ?? fetch)(`${this.base}${path}`, {
      method,
      headers: {
        ...(this.#token ? { authorization: `Bearer ${this.#token}` } : {}),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : {}) as T };
  }

  /** The body of an answer that must be a success. @throws Error with the problem otherwise */
  async good<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.call<T>(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}
