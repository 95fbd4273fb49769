/** The log-in by code (RFC 8628): shows a code and an address, and waits until a person who is logged in there has approved it. */
import { isPorchlightError, type PorchlightError } from "@porchlight/sdk";
import type { Login, StartedCodeLogIn } from "@porchlight/shared/api";
import { sleep } from "@porchlight/shared/kernel";
import type { Context } from "../../session/context.ts";
import { Failure } from "../../session/failure.ts";

/** What a poll that was too early adds to the interval, s (RFC 8628, section 3.5). */
const SLOWER_BY = 5;

/** @throws Failure when it is denied or nobody approves it in time; PorchlightError; the signal's reason */
export async function browserLogIn(context: Context): Promise<Login> {
  const { anonymous, clock, signal } = context;
  const started = await anonymous.accounts.beginCodeLogIn();
  show(context, started);
  const end = clock.monotonic() + started.expiresIn * 1000;
  let interval = started.interval;
  while (clock.monotonic() < end) {
    await sleep(clock, "log-in by code", interval * 1000, signal);
    try {
      return await anonymous.accounts.pollCodeLogIn(started.deviceCode, { signal });
    } catch (failure) {
      if (!isPorchlightError(failure)) throw failure;
      if (failure.name === "Login Slow Down") interval += SLOWER_BY;
      else if (!isWaitedFor(failure)) throw refusalOf(failure);
    }
  }
  throw tooLate();
}

/** Whether the next poll may have another answer: a connection that breaks is no refusal. */
function isWaitedFor({ name, status }: PorchlightError): boolean {
  return name === "Login Pending" || name === "Rate Limit Exceeded" || status === 0 || status >= 500;
}

function show({ output, machine }: Context, { userCode, verificationUri, expiresIn, ...rest }: StartedCodeLogIn): void {
  output.note("Open this page in a browser, on any machine:");
  output.note("");
  output.note(`  ${verificationUri}`);
  output.note("");
  output.note("and enter this code there:");
  output.note("");
  output.note("  ", { style: "bold", text: userCode });
  output.note("");
  output.note(`This address contains the code: ${rest.verificationUriComplete}`);
  output.note(
    `The page must show the same code, and ${machine} as the machine. The code is valid for ${Math.round(expiresIn / 60)} minutes; Ctrl-C cancels.`,
  );
}

function refusalOf(error: PorchlightError): unknown {
  if (error.name === "Login Expired") return tooLate();
  if (error.name === "Login Denied")
    return new Failure("notAllowed", "The log-in was denied.", error.message, "porchlight login --browser");
  return error;
}

function tooLate(): Failure {
  return new Failure(
    "notAllowed",
    "The log-in was not approved in time.",
    "The code is no longer valid.",
    "porchlight login --browser, which shows a new code",
  );
}
