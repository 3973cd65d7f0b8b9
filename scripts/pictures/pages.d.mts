export function nightlyPages(): Promise<{ url: string; close(): void }>;
