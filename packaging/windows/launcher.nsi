; Epitome.exe: opens the window, with the files that it is given, and ends.
; makensis -DVERSION=0.1.0 -DTREE=folder -DSTART=arguments -DOUT=Epitome.exe launcher.nsi
Unicode true
!include "FileFunc.nsh"

Name "Epitome"
OutFile "${OUT}"
Icon "${TREE}/epitome.ico"
RequestExecutionLevel user
SilentInstall silent
AutoCloseWindow true
; Windows shows these where a program is chosen to open a file with.
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "Epitome"
VIAddVersionKey "FileDescription" "Epitome"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "Apache License 2.0"

Section
  ${GetParameters} $0
  Exec `"$EXEDIR\python\pythonw.exe" ${START} $0`
SectionEnd
