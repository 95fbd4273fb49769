/** Texts of the emails about accounts: plain text, short lines, and no text that another party could have chosen. */
import type { Grant, PasswordResetResult } from "@porchlight/shared/api";
import { durationWords } from "@porchlight/shared/presentation";
import type { Transaction } from "../store/index.ts";
import { CODE_LIFE } from "./codes.ts";

/** Subject and text of an email. */
export interface EmailText {
  /** One line. */
  readonly subject: string;
  readonly text: string;
}

/** The part of the mail queue that this module uses. */
export interface MailOutbox {
  /** Queues an email to an address, verified or not. @throws "Service Unavailable" when too many emails wait */
  post(
    tx: Transaction,
    letter: EmailText & {
      readonly accountId: string;
      /** Undefined for an unknown account: nothing is sent, after the same work. */
      readonly to: string | undefined;
      /** Time after which the email is no longer worth sending, ms. */
      readonly lifeMs: number;
    },
  ): Promise<void>;
  /** Queues an email to an account's own address, if that is verified. */
  notify(tx: Transaction, accountId: string, letter: EmailText): Promise<boolean>;
}

/** Time after which an email without a code is no longer worth sending, ms. */
export const NOTICE_LIFE = 5 * 86_400_000;

/** @param url of the service, without `/api` */
export function verificationEmail(url: string, code: string): EmailText & { readonly lifeMs: number } {
  const text = `Verify that this is the e-mail address of your account at
${url}

Open this page:

${url}/verify?code=${code}

or enter this code where you are asked for it:

code: ${code}

The code works once, within ${durationWords(CODE_LIFE.verify)}. If you did not use this address
there, ignore this e-mail: without the code, no other e-mail follows.
`;
  return { subject: "Verify your e-mail address", text, lifeMs: CODE_LIFE.verify };
}

/** @param url of the service, without `/api` */
export function resetEmail(url: string, code: string): EmailText & { readonly lifeMs: number } {
  const text = `Someone asked to reset the password of your account at
${url}

To set a new password, open this page:

${url}/reset?code=${code}

or enter this code where you are asked for it:

code: ${code}

The code works once, within ${durationWords(CODE_LIFE.reset)}. A new password ends all sessions
of the account. If this was not you, ignore this e-mail: your password
has not changed.
`;
  return { subject: "Set a new password", text, lifeMs: CODE_LIFE.reset };
}

export function passwordChangedEmail(url: string): EmailText {
  const text = `The password of your account at
${url}
was changed. All other sessions have ended.

If this was not you, reset your password now:

${url}/reset
`;
  return { subject: "Your password was changed", text };
}

/** Most grants listed in an email. */
const MOST_LISTED = 20;

/** @param left the remaining grants, the newest first @param count number of all remaining grants */
export function passwordResetEmail(
  url: string,
  ended: PasswordResetResult["ended"],
  left: readonly Grant[],
  count: number,
): EmailText {
  const listed = left.slice(0, MOST_LISTED);
  const more = count > listed.length ? [`and ${count - listed.length} more`] : [];
  const still =
    count === 0
      ? "Nothing else has access to the account."
      : `This still has access to the account:

${[...listed.map(grantLine), ...more].join("\n")}

Look at each, and end what you do not recognize:

${url}/account/access`;
  const text = `The password of your account at
${url}
was changed with a code that was sent to this address.

This has ended:

${endedLines(ended).join("\n")}

${still}

If this was not you, someone can read your e-mails: secure your
mailbox, then reset your password:

${url}/reset
`;
  return { subject: "Your password was changed", text };
}

const ENDED: Readonly<Record<keyof PasswordResetResult["ended"], string>> = {
  sessions: "sessions",
  servers: "servers",
  serverTokens: "server tokens",
  userTokens: "user tokens",
  clientTokens: "tokens of hubs",
  webhooks: "webhooks",
  sinks: "sinks",
  pendingCodes: "approved codes of hubs and programs",
};

function endedLines(ended: PasswordResetResult["ended"]): string[] {
  const names = Object.keys(ENDED) as (keyof typeof ENDED)[];
  const lines = names.filter((name) => ended[name] > 0).map((name) => `${ended[name]} ${ENDED[name]}`);
  return lines.length === 0 ? ["nothing: there was nothing to end"] : lines;
}

const GRANTS: Readonly<Record<Grant["type"], string>> = {
  server_token: "server token",
  user_token: "user token",
  client_token: "hub",
  webhook: "webhook",
  sink: "sink",
};

/** States IDs, times and a network address: nothing that the grant's maker chose. */
function grantLine({ type, id, subjectId, createdAt, address }: Grant): string {
  const from = address === undefined ? "" : ` from ${address}`;
  return `${GRANTS[type]} ${subjectId ?? id}\n  made ${createdAt}${from}`;
}

/** The notice to the old address. */
export function emailChangedEmail(url: string): EmailText {
  const text = `The e-mail address of your account at
${url}
was changed. E-mails about the account now go to the new address.

If this was not you, the person who changed it knew your password.
Contact the operator of the service.
`;
  return { subject: "Your e-mail address was changed", text };
}
