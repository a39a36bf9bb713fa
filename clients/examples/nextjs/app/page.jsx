import { findSession, loadAccount } from "../lib/session";
import { prove, signIn, signOut } from "./actions";
import { Form } from "./form";

const PASSWORD_FIELDS = [
  { name: "email", placeholder: "E-mail", autoComplete: "username" },
  { name: "password", type: "password", placeholder: "Password", autoComplete: "current-password" },
];
const CODE_FIELDS = [{ name: "code", placeholder: "Code", autoComplete: "one-time-code" }];

/** The account of the signed-in user, or a form to sign in. The server renders it, so no token reaches the browser. */
export default async function Page() {
  const session = await findSession();
  if (session?.paused) return <Form key="code" action={prove} fields={CODE_FIELDS} label="Go on" />;
  const account = session && (await loadAccount(session));
  if (!account) return <Form key="password" action={signIn} fields={PASSWORD_FIELDS} label="Sign in" />;
  return (
    <main>
      <p>You are {account.email}.</p>
      <form action={signOut}>
        <button>Sign out</button>
      </form>
    </main>
  );
}
