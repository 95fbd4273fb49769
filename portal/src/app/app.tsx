/** What every page stands in: the look, the log-in, what was fetched, and the router. */
import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { isPorchlightError } from "@porchlight/sdk";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { useState } from "react";
import { type Access, AccessProvider } from "../session/context.tsx";
import { theme, variables } from "../theme/theme.ts";
import { makeRouter } from "./router.tsx";

export function App({ access }: { readonly access: Access }) {
  const [queries] = useState(makeQueries);
  const [router] = useState(() => makeRouter({ access, queries }));
  const nonce = useStyleNonce();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
      colorSchemeManager={KEPT_THEME}
    >
      <AccessProvider access={access}>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </AccessProvider>
    </MantineProvider>
  );
}

/** A person's choice between light and dark; without one the system says. */
const KEPT_THEME = localStorageColorSchemeManager({ key: "porchlight-theme" });

/** The SDK repeats by itself what is safe to repeat; events say when something is old. */
function makeQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (times, error) => times < 2 && isPorchlightError(error) && error.status === 0,
        staleTime: 30_000,
        refetchOnWindowFocus: true,
      },
    },
  });
}

/** The nonce that the page's policy allows style sheets by: for Mantine's, and for the one that keeps a page from scrolling under a dialog. */
function useStyleNonce(): string {
  const [nonce] = useState(() => {
    const found = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? "";
    setNonce(found);
    return found;
  });
  return nonce;
}
