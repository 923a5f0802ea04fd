declare module 'culori' {
  /** The contrast of two colours by WCAG 2. */
  export function wcagContrast(one: string, other: string): number;
}
