/** The nonce that the page's policy allows style sheets by: for Mantine's, and for the one that keeps a page from scrolling under a dialog. */
import { setNonce } from "get-nonce";
import { useState } from "react";

export function useStyleNonce(): string {
  const [nonce] = useState(() => {
    const found = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
    setNonce(found);
    return found;
  });
  return nonce;
}
