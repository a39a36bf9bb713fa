/** A sign-in form, and the account once the user is signed in. */

import type { SecondFactor } from "gatehouse-client";
import { type FormEvent, useState } from "react";
import { createRoot } from "react-dom/client";

import { createGatehouse } from "./useGatehouse.js";

export function mount(container: Element, baseUrl: string, storage: Storage): () => void {
  const { useGatehouse } = createGatehouse({ baseUrl, storage });

  function App() {
    const { account, error, isSignedIn, login, complete, logout } = useGatehouse();
    const [paused, setPaused] = useState<SecondFactor>();
    const [refusal, setRefusal] = useState("");

    const submit = (work: (field: (name: string) => string) => Promise<unknown>) => (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      const form = event.currentTarget;
      setRefusal("");
      work((name) => form.querySelector<HTMLInputElement>(`[name=${name}]`)!.value).catch((error: Error) =>
        setRefusal(error.message),
      );
    };
    const signIn = submit(async (field) => setPaused(await login(field("email"), field("password"))));
    const prove = submit(async (field) => {
      await complete(() => paused!.totp(field("code")));
      setPaused(undefined);
    });

    if (isSignedIn) {
      return (
        <main>
          <p>{error ? error.message : account ? `You are ${account.email}.` : "One moment, please."}</p>
          <button onClick={() => logout().catch(() => {})}>Sign out</button>
        </main>
      );
    }
    return (
      <main>
        <p role="alert">{refusal}</p>
        {paused ? (
          <form key="code" onSubmit={prove}>
            <input name="code" placeholder="Code" autoComplete="one-time-code" />
            <button>Go on</button>
          </form>
        ) : (
          <form key="password" onSubmit={signIn}>
            <input name="email" placeholder="E-mail" autoComplete="username" />
            <input name="password" type="password" placeholder="Password" autoComplete="current-password" />
            <button>Sign in</button>
          </form>
        )}
      </main>
    );
  }

  const root = createRoot(container);
  root.render(<App />);
  return () => root.unmount();
}
