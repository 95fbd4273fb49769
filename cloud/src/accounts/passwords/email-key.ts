/** An e-mail address as it is compared: two spellings of one mailbox are one account. */
import { domainToASCII } from "node:url";

/** Without space around it, in Unicode NFC, without regard to case; a domain in Unicode is its Punycode. */
export function emailKey(email: string): string {
  const plain = email.trim().normalize("NFC").toLowerCase();
  const at = plain.lastIndexOf("@");
  const domain = domainToASCII(plain.slice(at + 1));
  return at < 0 || domain === "" ? plain : `${plain.slice(0, at)}@${domain}`;
}
