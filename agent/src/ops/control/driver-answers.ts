/** What a running agent answers about its drivers: what it sees and does not have, who is admitted, and setups. */
import { type DriverAnswer, type DriverQuestion, driverQuestion } from "@porchlight/shared/model";
import { type Answers, AskRefused } from "./control-socket.ts";

const NOT_FOUND = 3;
const REFUSED = 5;

/** @param ask the hub's own answer; what it refuses is said with the exit status of a refused command */
export function driverAnswersOf(ask: (question: DriverQuestion) => Promise<DriverAnswer>): Answers {
  return {
    drivers: async (about) => {
      const { data, error } = driverQuestion.safeParse(about);
      if (!data) throw new AskRefused(error.issues[0]?.message ?? "this is not a request about drivers", REFUSED);
      const answer = await ask(data);
      if (!("refused" in answer)) return answer;
      const { name, detail } = answer.refused;
      throw new AskRefused(detail, name === "Setup Not Found" ? NOT_FOUND : REFUSED);
    },
  };
}
