/** Where the focus was when a dialog came, it is again when the dialog has gone. */
import { useEffect, useState } from "react";

export function useReturnOfFocus(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    },
    [before],
  );
}
