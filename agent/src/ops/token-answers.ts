/** The answers of a running agent about the tokens of its API at home: their own file, because another module creates the tokens. */
import { isNamed } from "@porchlight/shared/kernel";
import { z } from "zod";
import { type Answers, AskRefused } from "./control-socket.ts";

/** Creates, lists and revokes the tokens; its results are sent to the command unchanged. */
export interface TokensAtTheHub {
  /** @throws "Quota Exceeded" */
  create(label: string): Promise<object>;
  list(): readonly object[];
  /** False when there is none with that ID. */
  revoke(id: string): Promise<boolean>;
}

const NOT_FOUND = 3;
const REFUSED = 5;
const LONGEST_LABEL = 64;

const create = z.object({ label: z.string().max(LONGEST_LABEL) });
const revoke = z.object({ id: z.string().max(64) });

/** @param tokens called at the first request */
export function tokenAnswersOf(tokens: () => Promise<TokensAtTheHub>): Answers {
  return {
    "token create": async (about) => {
      const { data } = create.safeParse(about);
      if (!data) throw new AskRefused(`a name has at most ${LONGEST_LABEL} characters`, REFUSED);
      try {
        return await (await tokens()).create(data.label);
      } catch (failure) {
        throw isNamed(failure) ? new AskRefused(failure.message, REFUSED) : failure;
      }
    },
    "token list": async () => (await tokens()).list(),
    "token revoke": async (about) => {
      const { data } = revoke.safeParse(about);
      if (!data || !(await (await tokens()).revoke(data.id)))
        throw new AskRefused("there is no token with that ID", NOT_FOUND);
    },
  };
}
