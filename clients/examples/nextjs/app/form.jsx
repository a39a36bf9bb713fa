"use client";

import { useActionState } from "react";

/** A form that shows the error which its action returns. */
export function Form({ action, fields, label }) {
  const [error, submit] = useActionState(action, "");
  return (
    <form action={submit}>
      <p role="alert">{error}</p>
      {fields.map((field) => (
        <input key={field.name} {...field} required />
      ))}
      <button>{label}</button>
    </form>
  );
}
