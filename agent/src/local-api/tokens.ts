/** Tokens of the API at home (kind `loc`): created, listed and revoked on the hub, and required for every request. */
import { type Clock, formatTime, type IdMaker, NamedError, type Random } from "@porchlight/shared/kernel";
import { hashToken, makeToken, readCredential, tokenKind } from "@porchlight/shared/rest";
import type { LocalToken, State } from "../state/index.ts";

export interface HomeTokensDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: IdMaker;
  readonly state: Pick<State, "home">;
}

/** A token as shown to people. */
export interface ShownToken {
  readonly id: string;
  readonly label: string;
  readonly createdAt: string;
  /** Only right after its creation. */
  readonly token?: string;
}

/** Maximum tokens of a hub: a list contains all of them, and a home has few programs. */
const MOST_TOKENS = 100;

export class HomeTokens {
  readonly #deps: HomeTokensDeps;

  constructor(deps: HomeTokensDeps) {
    this.#deps = deps;
  }

  /** Creates a token, which is shown only this once. @param label its owner's name for it @throws "Quota Exceeded" */
  async create(label: string): Promise<ShownToken> {
    const { clock, random, ids, state } = this.#deps;
    if (state.home.tokens().length >= MOST_TOKENS)
      throw new NamedError("Quota Exceeded", `A hub has at most ${MOST_TOKENS} tokens: revoke one first.`);
    const token = makeToken("loc", random);
    const kept = { id: ids.next("tok"), hash: hashToken(token), label, createdAt: clock.now() };
    await state.home.addToken(kept);
    return { ...shown(kept), token };
  }

  /** All tokens, oldest first. */
  list(): ShownToken[] {
    return this.#deps.state.home.tokens().map(shown);
  }

  /** Revokes a token; false when there is none with that ID. */
  revoke(id: string): Promise<boolean> {
    return this.#deps.state.home.revokeToken(id);
  }

  /** Finds the token of a request. @param header `authorization` @throws "Token Missing", "Token Invalid" */
  authenticate(header: string | undefined): LocalToken {
    const text = readCredential(header);
    const kind = tokenKind(text);
    if (kind === undefined) throw new NamedError("Token Invalid", "The credential does not have the form of a token.");
    if (kind !== "loc")
      throw new NamedError(
        "Token Invalid",
        "This token is valid only in the cloud. At home, use a token that was created on the hub, with `porchlight-agent token create`.",
      );
    const token = this.#deps.state.home.token(hashToken(text));
    if (!token) throw new NamedError("Token Invalid");
    return token;
  }
}

function shown({ id, label, createdAt }: LocalToken): ShownToken {
  return { id, label, createdAt: formatTime(createdAt) };
}
