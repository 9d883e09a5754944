declare const brand: unique symbol

/** A value of type `T` that only the function that checked it can hand out as `Name`. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name }
