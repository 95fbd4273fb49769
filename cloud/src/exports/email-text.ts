/** What exports write to people: that an archive is ready, or that there is none. Without a secret: who downloads it must be logged in. */
import { timeWords } from "@porchlight/shared/presentation";

/** Plain text under one line. */
export interface EmailText {
  readonly subject: string;
  readonly text: string;
}

/** @param url the service's address, without `/api` @param expiresAt wall clock, ms */
export function exportReadyEmail(url: string, expiresAt: number): EmailText {
  const text = `The archive with the data of your account at
${url}
is ready. Log in and download it under "Your data":

${url}/account

It is deleted on ${timeWords(expiresAt)}.

If you did not ask for it, someone who knows your password did. Change
your password:

${url}/account
`;
  return { subject: "Your data is ready to download", text };
}

/** @param url the service's address, without `/api` */
export function exportFailedEmail(url: string, problem: "too_large" | "failed"): EmailText {
  const why =
    problem === "too_large"
      ? `It would be larger than the operator of the service allows. Contact the
operator.`
      : `Something went wrong in the service. You can start it again:

${url}/account`;
  const text = `The archive with the data of your account at
${url}
could not be made.

${why}
`;
  return { subject: "Your data could not be exported", text };
}
