//! Generates the script for PowerShell: a table of levels, and the block that PowerShell calls.
//!
//! No test runs it in PowerShell itself, which is no package of Debian.

use super::{Level, NAME, Named, Values};

/// A block that looks up the valid words at the cursor. If it finds nothing, PowerShell offers
/// paths.
const LOOK_UP: &str = r"
    # What stands before the word at the cursor.
    $words = @($commandAst.CommandElements |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { $_.Extent.Text })
    $level = $name
    $option = ''
    $isPath = $true
    foreach ($word in @($words | Select-Object -Skip 1)) {
        $isPath = $isPath -and $levels.ContainsKey($level + ';' + $word)
        if ($isPath) { $level = $level + ';' + $word }
        $option = $word
    }
    $of = & $levels[$level]
    $value = $wordToComplete
    $before = ''
    if ($wordToComplete -match '^(--[^=]+)=(.*)$') {
        $option = $Matches[1]
        $value = $Matches[2]
        $before = $option + '='
    }
    $kind = 'options'
    $offers = $of.Options
    if ($of.Taken.ContainsKey($option)) {
        $kind = $of.Taken[$option].Kind
        $offers = $of.Taken[$option].Offers
    } elseif (-not $wordToComplete.StartsWith('-')) {
        $kind = $of.Other.Kind
        $offers = $of.Other.Offers
    }

    # The last item of a list, and one that is a name and a path.
    if ($kind -eq 'list' -and $value.Contains(',')) {
        $before += $value.Substring(0, $value.LastIndexOf(',') + 1)
    }
    if ($kind -eq 'report' -and $value.Contains('=')) {
        $kind = 'path'
        $before += $value.Substring(0, $value.IndexOf('=') + 1)
    }
    $found = @($offers | ForEach-Object {
        $text = $before + $_.Name
        # Letters are told apart: -v is not -V.
        if ($text.StartsWith($wordToComplete, [StringComparison]::Ordinal)) {
            $about = if ($_.About) { $_.About } else { $_.Name }
            $type = if ($kind -eq 'options') { 'ParameterName' } else { 'ParameterValue' }
            [System.Management.Automation.CompletionResult]::new($text, $_.Name, $type, $about)
        }
    })
    if ($kind -eq 'path' -and $before) {
        $file = $wordToComplete.Substring($before.Length)
        [System.Management.Automation.CompletionCompleters]::CompleteFilename($file) |
            ForEach-Object {
                [System.Management.Automation.CompletionResult]::new(
                    $before + $_.CompletionText, $_.ListItemText, $_.ResultType, $_.ToolTip)
            }
    } elseif ($found) {
        $found
    } elseif ($kind -ne 'path') {
        # An empty word keeps PowerShell from offering paths.
        ''
    }
}
";

pub(super) fn script(levels: &[Level]) -> String {
    let rows: String = levels.iter().map(row).collect();
    format!(
        "Register-ArgumentCompleter -Native -CommandName '{NAME}' -ScriptBlock {{\n    \
         param($wordToComplete, $commandAst, $cursorPosition)\n\n    \
         $name = '{NAME}'\n    $levels = @{{\n{rows}    }}\n{LOOK_UP}"
    )
}

/// Formats a level as a block that creates its table: creating all tables at once would be slow.
fn row(level: &Level) -> String {
    let value = |(names, of): &(Vec<String>, Values)| {
        let name = |name: &String| format!("                {} = {}\n", quoted(name), values(of));
        names.iter().map(name).collect::<String>()
    };
    let taken: String = level.values.iter().map(value).collect();
    format!(
        "        {} = {{ @{{\n            Options = {}\n            \
         Other = @{{ Kind = '{}'; Offers = {} }}\n            \
         Taken = @{{\n{taken}            }}\n        }} }}\n",
        quoted(&level.names),
        list(level.options.iter()),
        level.positional.kind.name(),
        list(level.offers()),
    )
}

fn values(values: &Values) -> String {
    format!("@{{ Kind = '{}'; Offers = {} }}", values.kind.name(), list(values.offers.iter()))
}

fn list<'n>(offers: impl Iterator<Item = &'n Named>) -> String {
    let pair = |offer: &Named| {
        format!("@{{ Name = {}; About = {} }}", quoted(&offer.name), quoted(&offer.about))
    };
    format!("@({})", offers.map(pair).collect::<Vec<_>>().join(", "))
}

/// Characters that PowerShell treats as a single quote: the specification of its language,
/// §2.3.5.2.
const QUOTES: [char; 5] = ['\'', '\u{2018}', '\u{2019}', '\u{201a}', '\u{201b}'];

fn quoted(text: &str) -> String {
    super::quoted(text, &QUOTES)
}
