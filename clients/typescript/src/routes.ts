/** Types that find an operation of the API by its method and path. */

import type { Routes, TokenPair } from "./api.js";

export type Method = keyof Routes;

type WithoutQuery<P extends string> = P extends `${infer Path}?${string}` ? Path : P;

/** Whether a segment of a path fits a segment of a template: `{name}` fits any. */
type FitsSegment<P extends string, T extends string> = T extends `{${string}}` ? true : P extends T ? true : false;

type Fits<P extends string, T extends string> = T extends `${infer First}/${infer Others}`
  ? P extends `${infer Start}/${infer Rest}`
    ? FitsSegment<Start, First> extends true
      ? Fits<Rest, Others>
      : false
    : false
  : P extends `${string}/${string}`
    ? false
    : FitsSegment<P, T>;

type Template<M extends Method, P extends string> = {
  [T in keyof Routes[M] & string]: Fits<WithoutQuery<P>, T> extends true ? T : never;
}[keyof Routes[M] & string];

/** The path itself if the API has it, otherwise never. */
export type Known<M extends Method, P extends string> = [Template<M, P>] extends [never] ? never : P;

type Operation<M extends Method, P extends string> = Routes[M][Template<M, P>];

export type Data<M extends Method, P extends string> = Operation<M, P> extends { data: infer D } ? D : never;

export type Body<M extends Method, P extends string> = Operation<M, P> extends { body?: infer B } ? B : never;

/** The argument `body`: required if the operation requires it. */
export type BodyArgument<M extends Method, P extends string> =
  Operation<M, P> extends { body: unknown } ? [body: Body<M, P>] : [body?: Body<M, P>];

/** The path itself if the API can answer it with tokens, otherwise never. */
export type SignInPath<P extends string> = [Extract<Data<"POST", P>, TokenPair>] extends [never] ? never : P;
