/** The answers of a running agent about its drivers: devices that were found and not admitted, admissions, and setups. */
import { type DriverAnswer, type DriverQuestion, driverQuestion } from "@porchlight/shared/model";
import { type Answers, AskRefused } from "./control-socket.ts";

const NOT_FOUND = 3;
const REFUSED = 5;

/** @param ask answers as the hub itself; its refusal becomes the exit status of a refused command */
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
