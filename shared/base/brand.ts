declare const brand: unique symbol

/** A value of type `T` that only the function that checked it can create as `Name`. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name }
