/** What accounts write to people: plain text, short lines, and nothing in it that somebody else could have chosen. */
import type { Transaction } from "../../store/index.ts";
import { CODE_LIFE } from "../passwords/codes.ts";

/** What an email says. */
export interface EmailText {
  /** One line. */
  readonly subject: string;
  readonly text: string;
}

/** What this module needs of the mail queue. */
export interface MailOutbox {
  /** To an address, verified or not. @throws "Service Unavailable" when too many emails wait */
  post(
    tx: Transaction,
    letter: EmailText & {
      readonly accountId: string;
      /** Undefined: no account, after the same work. */
      readonly to: string | undefined;
      /** How long it is worth sending, ms. */
      readonly lifeMs: number;
    },
  ): Promise<void>;
  /** To an account's own address, when that has been verified. */
  notify(tx: Transaction, accountId: string, letter: EmailText): Promise<boolean>;
}

/** How long an email without a code is worth sending, ms. */
export const NOTICE_LIFE = 5 * 86_400_000;

/** @param url the service's address, without `/api` */
export function verificationEmail(url: string, code: string): EmailText & { readonly lifeMs: number } {
  const text = `This address was given for an account at
${url}

If that was you, open this page:

${url}/verify?code=${code}

or give this code where you are asked for it:

code: ${code}

It is good for 7 days, once. If it was not you, do nothing: without the
code this address gets no other mail from there.
`;
  return { subject: "Verify your e-mail address", text, lifeMs: CODE_LIFE.verify };
}

/** @param url the service's address, without `/api` */
export function resetEmail(url: string, code: string): EmailText & { readonly lifeMs: number } {
  const text = `Somebody asked for a new password for your account at
${url}

If that was you, open this page:

${url}/reset?code=${code}

or give this code where you are asked for it:

code: ${code}

It is good for an hour, once. A new password ends all log-ins of the
account. If it was not you, do nothing: your password is as it was.
`;
  return { subject: "Set a new password", text, lifeMs: CODE_LIFE.reset };
}

export function passwordChangedEmail(url: string): EmailText {
  const text = `The password of your account at
${url}
has been changed, and other log-ins have ended.

If it was not you, set a new one now:

${url}/reset
`;
  return { subject: "Your password has been changed", text };
}

/** To the address that was left. */
export function emailChangedEmail(url: string): EmailText {
  const text = `The e-mail address of your account at
${url}
has been changed to another one. Mail about the account goes there.

If it was not you, the person who did it knew your password. Write to
the operator of that service.
`;
  return { subject: "Your e-mail address has been changed", text };
}
