/** Each page keeps what it has not sent of trades under a name of its own that begins so, and holds a lock of that name for as long as it lives: so others see what nobody sends any more. */
export const unsentPrefix = 'fillbook-unsent:'
