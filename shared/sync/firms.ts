/** How a firm names accounts and logins at Tradovate; its own words for a phase are checked before the general ones. `monogram` is for a firm whose name gives the letters of another's. */
export type FirmFacts = { readonly names: RegExp; readonly evaluation?: RegExp; readonly funded?: RegExp; readonly monogram?: string }

/** The firms of the spec and others with presets, by their names. */
export const firms = {
  'Apex Trader Funding': { names: /^(PA[^A-Z0-9]*)?APEX/, evaluation: /^APEX/, funded: /^PA/ },
  MyFundedFutures: { names: /^MFFU?(?![A-Z])|^MFFU(EV|SF|LI?V|FN)|^MY ?FUNDED/, evaluation: /^MFFU[^A-Z0-9]*EV/, funded: /^MFFU[^A-Z0-9]*(SF|LI?V|FN)/ },
  'Take Profit Trader': { names: /^TAKE ?PROFIT|^TPT/, evaluation: /^TAKEPROFIT\d/, funded: /^(TAKE ?PROFIT|TPT)[^A-Z0-9]*PRO/ },
  Tradeify: { names: /^F?TDFY|^TRADEIFY/, evaluation: /^TDFY(SL|G|A)/, funded: /^FTDFY/, monogram: 'Tf' },
  'Alpha Futures': { names: /^AF(AD|ST|ZE|PR)[A-Z]|^ALPHA[^A-Z0-9]*(FUTURES|\d|$)/, evaluation: /^AF[A-Z]+EV\d/ },
  'Top One Futures': { names: /^TOP ?ONE|^TOF\d/ },
  'Funding Ticks': { names: /^FTPRO(PLUS)?M?\d|^FTKS|^FUNDING ?TICKS/, evaluation: /^FTPRO(PLUS)?\d/, funded: /^FTPRO(PLUS)?M\d/ },
  'Funded Next Futures': { names: /^FNFT|^FUNDED ?NEXT/, evaluation: /^FNFTCH/, funded: /^FNFTFA/ },
  'Aqua Futures': { names: /^AQUA/, monogram: 'Aq' },
  Topstep: { names: /^\d+KTC|^EXPRESS|^TOPX|^TOPSTEP|^XFA|^PRAC-V\d/, evaluation: /^\d+KTC/, funded: /^EXPRESS|^TOPX|^XFA/, monogram: 'Ts' },
  'Lucid Trading': { names: /^L(FE|FF|FL|MX[FL]?)\d|^LUCID/, evaluation: /^L(FE|MX)\d/, funded: /^L(FF|FL|MX[FL])\d/ },
  Bulenox: { names: /^BULENOX|^BX\d/ },
} as const satisfies Record<string, FirmFacts>
