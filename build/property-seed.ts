import fc from 'fast-check'

const seed = process.env['PROPERTY_SEED'] ?? '20261121'

// A run judges a change, not luck: every run draws the same cases. `PROPERTY_SEED=random` draws others, and a number the cases of that seed.
if (seed !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) })
